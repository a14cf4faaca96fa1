import { beforeEach, expect, test } from '@jest/globals';
import type { EvalCase } from '../../../../../shared/contracts/cases.ts';
import { DEFINITION_BYTES_MAX } from '../../../../../shared/domain/definitions/limits.ts';
import { caseStore } from '../../../../../shared/storage/suites/cases.ts';
import { definitionStore } from '../../../../../shared/storage/suites/definitions/definitions.ts';
import { suiteStore } from '../../../../../shared/storage/suites/suites.ts';
import { MemoryTable } from '../../../../support/memory/memoryTable.ts';
import { type MadeSuite, makeStoredSuite, storedCase } from '../../stored.ts';

const memory = new MemoryTable(Date.now);
let made: MadeSuite;
beforeEach(async () => {
  made = await makeStoredSuite(memory);
});

const AT = '2026-05-05T10:00:00.000Z';
const headOf = ({ slug, project_id }: MadeSuite['suite']) => ({
  ...{ slug, projectId: project_id, isPushUnderWay: false },
});
const read = () => definitionStore(memory).read(made.orgId, made.suite.id, headOf(made.suite));

async function add(fields: Partial<EvalCase> = {}) {
  await caseStore(memory).create(made.orgId, made.suite, storedCase(made.suite, fields));
}

test('a suite is read as it is, in order and with inactive cases, and without those of its scorers that are gone', async () => {
  for (const key of ['b', 'a', 'c']) await add({ key, is_active: key !== 'a' });
  const whole = await read();
  if (whole === undefined || whole === 'too_large') throw new Error('the suite is there');
  expect(whole.suite).toEqual(made.suite);
  expect(whole.cases.map(({ key, is_active, sort_order }) => [key, is_active, sort_order])).toEqual([
    ['b', true, 0],
    ['a', false, 1],
    ['c', true, 2],
  ]);
  expect(whole.scorers.size).toBe(0);
});

test('a suite of more bytes than an answer may be made of is not read to its end', async () => {
  const bytes = 400_000;
  const input = { text: 'i'.repeat(bytes / 2) };
  const count = Math.ceil(DEFINITION_BYTES_MAX / bytes);
  for (let n = 1; n < count; n++) await add({ input, expected: 'e'.repeat(bytes / 2) });
  expect(await read()).toMatchObject({ cases: { length: count - 1 } });
  for (let n = 0; n < 2; n++) await add({ input, expected: 'e'.repeat(bytes / 2) });
  expect(await read()).toBe('too_large');
});

test('a suite that is gone is not there', async () => {
  await suiteStore(memory).delete(made.orgId, made.suite, AT);
  expect(await read()).toBeUndefined();
});
