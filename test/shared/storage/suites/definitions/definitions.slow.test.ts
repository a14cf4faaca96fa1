import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { EvalCase } from '../../../../../shared/contracts/cases.ts';
import { DEFINITION_BYTES_MAX } from '../../../../../shared/domain/definitions/limits.ts';
import { PLAIN_RULES } from '../../../../../shared/domain/suites/bar/rules.ts';
import { caseStore } from '../../../../../shared/storage/suites/cases.ts';
import { definitionStore } from '../../../../../shared/storage/suites/definitions/definitions.ts';
import { suiteStore } from '../../../../../shared/storage/suites/suites.ts';
import { type OwnTable, startOwnTable } from '../../../../support/ownService.ts';
import { type MadeSuite, makeStoredSuite } from '../../stored.ts';

let own: OwnTable;
let made: MadeSuite;
beforeAll(async () => {
  own = await startOwnTable();
});
afterAll(() => own.stop());
beforeEach(async () => {
  made = await makeStoredSuite(own.table);
});

const AT = '2026-05-05T10:00:00.000Z';
const newCase = (fields: Partial<EvalCase> = {}) => ({
  ...{ id: randomUUID() as string, suite_id: made.suite.id, key: `k-${randomUUID()}`, ...PLAIN_RULES },
  ...{ name: 'A case', description: null, input: {}, expected: null, scorer_id: randomUUID() as string },
  ...{ threshold: 0.5, weight: 1, is_active: true, created_at: AT, updated_at: AT, ...fields },
});

const headOf = ({ slug, project_id }: MadeSuite['suite']) => ({
  ...{ slug, projectId: project_id, isPushUnderWay: false },
});
const read = () => definitionStore(own.table).read(made.orgId, made.suite.id, headOf(made.suite));

async function add(fields: Partial<EvalCase> = {}) {
  await caseStore(own.table).create(made.orgId, made.suite, newCase(fields));
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
  await suiteStore(own.table).delete(made.orgId, made.suite, AT);
  expect(await read()).toBeUndefined();
});
