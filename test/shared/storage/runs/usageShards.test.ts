import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { PlanId } from '../../../../shared/contracts/auth.ts';
import { monthOf, timestamp } from '../../../../shared/domain/time.ts';
import { changePlan } from '../../../../shared/storage/billing/planChanges.ts';
import { runStore } from '../../../../shared/storage/runs/runs.ts';
import { usageStore } from '../../../../shared/storage/runs/usage.ts';
import { type Key, organisationKey, SK, usageKey } from '../../../../shared/storage/table/keys.ts';
import type { Table, Write } from '../../../../shared/storage/table/table.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
import { contended, withOwn } from '../contended.ts';
import { resultOf } from '../results.ts';
import { finishedRun, type MadeSuite, makeStoredSuite } from '../stored.ts';

const NOW_MS = Date.parse('2036-05-05T10:00:00.000Z');
const MONTH = monthOf(timestamp(NOW_MS));
const FIRST = usageKey('any', MONTH)[SK];

type Update = Parameters<Table['update']>[0];
type Writes = Record<string, Write>;

const skOf = (key: unknown): string => String((key as Key)[SK]);
const isFirst = ({ Key }: Update): boolean => skOf(Key) === FIRST;
const isShard = ({ Key }: Update): boolean => skOf(Key).startsWith(`${FIRST}#`);
const skOfWrite = ({ Put, Update, Delete, ConditionCheck }: Write): string =>
  skOf(Put?.Item ?? (Update ?? Delete ?? ConditionCheck)?.Key);

async function organisationOn(plan: PlanId) {
  const table = new MemoryTable(() => NOW_MS);
  const made = await makeStoredSuite(table);
  const at = timestamp(NOW_MS);
  const organisation = { id: made.orgId, name: 'Any', plan, created_at: at, updated_at: at, version: 1 };
  await table.put({ ...organisationKey(made.orgId), ...organisation });
  return { table, made };
}

const change = (table: Table, { orgId }: MadeSuite, plan: PlanId, atMs = NOW_MS) =>
  changePlan(table, { orgId, plan: () => plan, atMs, alongside: {} });

/** Stores a run of a function that met another one, so that it counts in shards. */
async function runInShard(table: Table, made: MadeSuite, atMs: number): Promise<void> {
  const store = runStore(contended(table, { conflicts: 1 }), randomUUID);
  const times = { startedAtMs: atMs, completedAtMs: atMs };
  const { outcome } = await store.commit(finishedRun(made, [resultOf(0, 'x')], times));
  expect(outcome).toBe('stored');
}

const used = (table: Table, { orgId }: MadeSuite) => usageStore(table).used(orgId, MONTH);

/** Changes to Scale; `meanwhile` happens right before its first transaction. */
async function changeAmid(
  table: Table,
  made: MadeSuite,
  meanwhile: () => Promise<void>,
  { atMs = NOW_MS, update = table.update.bind(table) }: { atMs?: number; update?: Table['update'] } = {},
): Promise<Writes[]> {
  const seen: Writes[] = [];
  const transact = async (...args: [Writes, object?]) => {
    seen.push(args[0]);
    if (seen.length === 1) await meanwhile();
    return table.transact(...args);
  };
  const changed = await change(withOwn(table, { transact, update } as Partial<Table>), made, 'scale', atMs);
  expect(changed).toMatchObject({ outcome: 'changed' });
  return seen;
}

test('the transaction of a change of plan touches no shard, so that the runs which try their shards never refuse it', async () => {
  const { table, made } = await organisationOn('pro');
  await runInShard(table, made, NOW_MS);
  const [writes] = await changeAmid(table, made, async () => {});
  const touched = Object.values(writes ?? {}).map(skOfWrite);
  expect(touched).toContain(FIRST);
  expect(touched.filter((sk) => sk.startsWith(`${FIRST}#`))).toEqual([]);
  expect(await used(table, made)).toBe(1);
});

test('writes of a change that was given up, which come late, give no run a shard whose sum another change has taken', async () => {
  const { table, made } = await organisationOn('pro');
  const late: Update[] = [];
  const update: Table['update'] = (one) => {
    if (!isShard(one)) return table.update(one);
    late.push(one);
    return new Promise(() => {});
  };
  void change(withOwn(table, { update }), made, 'enterprise');
  while (late.length === 0) await Promise.resolve();
  await changeAmid(
    table,
    made,
    async () => {
      for (const one of late) await table.update(one);
      // When the first change's mark has run out, and that of the second has not.
      await runInShard(table, made, NOW_MS + 15_000);
    },
    { atMs: NOW_MS + 12_000 },
  );
  expect(late.length).toBeGreaterThan(1);
  expect(await used(table, made)).toBe(1);
});

test('a change whose closing is written a second time, after a run opened its shards, takes their sum again', async () => {
  const { table, made } = await organisationOn('pro');
  let closing: Update | undefined;
  const update: Table['update'] = (one) => {
    if (isFirst(one)) closing ??= one;
    return table.update(one);
  };
  const tries = await changeAmid(
    table,
    made,
    async () => {
      await runInShard(table, made, NOW_MS + 60_000);
      if (closing !== undefined) await table.update(closing);
    },
    { update },
  );
  expect(tries.length).toBe(2);
  expect(await used(table, made)).toBe(1);
});
