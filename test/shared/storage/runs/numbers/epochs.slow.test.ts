import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import '../../../../support/seed.ts';
import { monthOf, timestamp } from '../../../../../shared/domain/time.ts';
import { changePlan } from '../../../../../shared/storage/billing/planChanges.ts';
import { runStore } from '../../../../../shared/storage/runs/runs.ts';
import { usageStore } from '../../../../../shared/storage/runs/usage.ts';
import { COUNTER_SHARDS, organisationKey, usageOfMonth } from '../../../../../shared/storage/table/keys.ts';
import type { Table } from '../../../../../shared/storage/table/table.ts';
import { MemoryTable } from '../../../../support/memory/memoryTable.ts';
import { resultOf } from '../../results.ts';
import { finishedRun, type MadeSuite, makeStoredSuite } from '../../stored.ts';

const NOW_MS = Date.parse('2036-05-05T10:00:00.000Z');
const MONTH = monthOf(timestamp(NOW_MS));
const NEVER = new Promise<never>(() => {});

interface Actor {
  /** After so many operations it is dead. */
  readonly operations: number;
  /** Its first transaction meets another one, so that it counts in shards. */
  readonly meets: boolean;
}

/** The table for one of several at once, whose operations the scheduler puts in any order. */
function tableOf(table: Table, scheduler: fc.Scheduler, { operations, meets }: Actor): Table {
  let left = operations;
  let met = !meets;
  return new Proxy(table, {
    get(real, name: keyof Table & string) {
      const member = real[name];
      if (typeof member !== 'function') return member;
      return async (...args: never[]) => {
        if (left-- <= 0) return NEVER;
        await scheduler.schedule(Promise.resolve(), name);
        if (name === 'transact' && !met) {
          met = true;
          return { committed: false, failed: new Map() };
        }
        return (member as (...given: never[]) => unknown).apply(real, args);
      };
    },
  });
}

async function organisationWith(table: MemoryTable): Promise<MadeSuite> {
  const made = await makeStoredSuite(table);
  const at = timestamp(NOW_MS);
  const organisation = {
    id: made.orgId,
    name: 'Any',
    plan: 'pro',
    created_at: at,
    updated_at: at,
    version: 1,
  };
  await table.put({ ...organisationKey(made.orgId), ...organisation });
  return made;
}

const run = (made: MadeSuite, atMs: number) =>
  finishedRun(made, [resultOf(0, 'x')], { startedAtMs: atMs, completedAtMs: atMs });

const anyChange = fc.record({
  plan: fc.constantFrom('pro' as const, 'scale' as const, 'enterprise' as const),
  dies: fc.option(fc.nat(60), { nil: Number.POSITIVE_INFINITY }),
  atMs: fc.integer({ min: NOW_MS, max: NOW_MS + 1_000 }),
});

test('whatever the order of runs and changes of plan, and wherever a change dies, each run is counted once, and shards open again', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(anyChange, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 6 }),
      async (scheduler, changes, runs) => {
        const table = new MemoryTable(() => NOW_MS);
        const made = await organisationWith(table);
        let stored = 0;
        for (let nth = 0; nth < runs; nth++) {
          const own = tableOf(table, scheduler, { operations: Number.POSITIVE_INFINITY, meets: nth % 3 > 0 });
          const store = runStore(own, randomUUID);
          void (async () => {
            // Some run when the mark of a change that goes on has run out.
            const atMs = NOW_MS + (nth % 2) * 60_000;
            for (const _ of [1, 2]) if ((await store.commit(run(made, atMs))).outcome === 'stored') stored++;
          })();
        }
        for (const { plan, dies, atMs } of changes) {
          const own = tableOf(table, scheduler, { operations: dies, meets: false });
          // One that waits for a dead one gives up.
          changePlan(own, { orgId: made.orgId, plan: () => plan, atMs, alongside: {} }).catch(() => {});
        }
        await scheduler.waitIdle();
        expect(stored).toBeGreaterThan(0);
        const used = () => usageStore(table).used(made.orgId, MONTH);
        expect(await used()).toBe(stored);
        // Runs in all shards, a minute later: they open what the dead left closed.
        let token = 0;
        const inNextShard = () => `${randomUUID().slice(0, -1)}${(token++ % COUNTER_SHARDS).toString(16)}`;
        const own = tableOf(table, scheduler, { operations: Number.POSITIVE_INFINITY, meets: true });
        const late = runStore(own, inNextShard);
        const all = (async () => {
          for (let nth = 0; nth <= COUNTER_SHARDS; nth++) await late.commit(run(made, NOW_MS + 60_000));
        })();
        await scheduler.waitIdle();
        await all;
        expect(await used()).toBe(stored + COUNTER_SHARDS + 1);
        const shards = (await table.query(usageOfMonth(made.orgId, MONTH))).slice(1);
        expect(shards.filter((shard) => shard.closed !== undefined)).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
});
