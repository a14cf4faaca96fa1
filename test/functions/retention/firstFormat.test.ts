import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { placeOfRun } from '../../../shared/domain/runs/ids.ts';
import { dictionaryKey, type Key, runKey, suiteHeadKey, TTL } from '../../../shared/storage/table/keys.ts';
import { dropExpired } from '../../support/dropExpired.ts';
import type { Gate } from '../runs/gate.ts';
import { startUpgrading, type Upgrading } from './upgrading.ts';

let upgrading: Upgrading;
beforeAll(async () => {
  upgrading = await startUpgrading();
});
afterAll(() => upgrading.stop());

const OLD = '1.0';
const dictionariesOf = async ({ suite }: Gate) =>
  (await upgrading.service.items()).filter(
    ({ pk, sk }) => String(pk).endsWith(suite.id) && /^DICTIONARY#\d/.test(String(sk)),
  );

const field = async (key: Key, name: string) => (await upgrading.service.table.get(key))?.[name];

/** The suite and this run of it, as the version before stored them. */
async function asBefore({ project, suite }: Gate, runId: string): Promise<void> {
  const { table } = upgrading.service;
  const orgId = project.org_id;
  const key = runKey(orgId, suite.id, placeOfRun(runId)?.number ?? 0);
  const packed = (await field(key, 'packed')) as { revision: string; chunk_dictionary: boolean[] };
  expect(packed.chunk_dictionary).toEqual([true]);
  const place = dictionaryKey(orgId, suite.id, packed.revision, 0);
  const dictionary = await field(place, 'dictionary');
  await table.put({ ...dictionaryKey(orgId, suite.id, OLD, 0), dictionary });
  await table.update({
    Key: key,
    UpdateExpression: 'SET packed.revision = :old',
    ExpressionAttributeValues: { ':old': OLD },
  });
  await table.delete(place, {
    ConditionExpression: 'dictionary = :dictionary',
    ExpressionAttributeValues: { ':dictionary': dictionary },
  });
  await table.update({
    Key: suiteHeadKey(orgId, suite.slug, project.id),
    UpdateExpression: 'REMOVE dictionary_format, last_ordered_at',
  });
}

async function day(days: number): Promise<void> {
  upgrading.day(days);
  await upgrading.evaluator.purge();
  await dropExpired(upgrading.service, upgrading.service.clock.ms ?? 0);
}

const read = async ({ client }: Gate, id: string) => (await client('GET', `/v1/runs/${id}/results`)).status;

/** Whatever plans come between, an extension goes with each. */
async function plans(gate: Gate, ...changes: readonly ('free' | 'pro')[]): Promise<void> {
  for (const plan of changes) {
    await upgrading.changePlan(gate, plan);
    await upgrading.evaluator.work();
  }
}

test.each([
  ['goes on', 'runs'],
  ['is deleted', 'deleted'],
])(
  'results of the version before are readable as long as they are retained, whatever the plans, where their suite %s; then nothing of them is left',
  async (_, how) => {
    upgrading.day(0);
    const gate = await upgrading.gate();
    await gate.add({}, { expected: 'a refund' });
    await plans(gate, 'pro');
    const id = await upgrading.run(gate);
    await asBefore(gate, id);
    await day(2);
    await plans(gate, 'free');
    if (how === 'runs') await upgrading.run(gate);
    else await gate.client('DELETE', `/v1/projects/${gate.project.slug}/suites/${gate.suite.slug}`);
    await day(2.1);
    await plans(gate, 'pro');
    for (const days of [31, 60, 300, 364]) {
      await day(days);
      expect(await read(gate, id)).toBe(200);
    }
    await day(366);
    expect(await read(gate, id)).toBe(404);
    expect(await dictionariesOf(gate)).toHaveLength(1);
    await day(420);
    expect(await dictionariesOf(gate)).toEqual([]);
  },
);

test('runs read no dictionary of the version before, however many there are, and the purge reads them once a suite', async () => {
  const { service, evaluator } = upgrading;
  upgrading.day(500);
  const gate = await upgrading.gate();
  const id = await upgrading.run(gate);
  const large = { dictionary: randomBytes(100_000) };
  for (let revision = 0; revision < 30; revision++) {
    await service.table.put({
      ...dictionaryKey(gate.project.org_id, gate.suite.id, `${revision}.1`, 0),
      ...large,
    });
  }
  await asBefore(gate, id);
  const unitsOf = async (act: () => Promise<unknown>) => {
    const before = service.table.consumed();
    await act();
    const after = service.table.consumed();
    return { read: after.read - before.read, write: after.write - before.write };
  };
  for (const name of ['one', 'two', 'three']) {
    await gate.add({}, { name });
    const { read: units, write } = await unitsOf(() => upgrading.run(gate));
    expect(units).toBeLessThan(30);
    expect(write).toBeLessThan(20);
  }
  upgrading.day(500.1);
  await evaluator.purge();
  const dictionaries = await dictionariesOf(gate);
  expect(dictionaries).toHaveLength(31);
  expect(dictionaries.filter((item) => item[TTL] === undefined)).toEqual([]);
  await gate.add({}, { name: 'four' });
  await upgrading.run(gate);
  upgrading.day(500.2);
  expect((await unitsOf(() => evaluator.purge())).read).toBeLessThan(10);
});
