import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Run } from '../../../../shared/contracts/runs.ts';
import { type DayFigures, figuresOf, NO_RUNS, plus } from '../../../../shared/domain/analytics/figures.ts';
import { NO_RECORD } from '../../../../shared/domain/runs/results/verdictRecord.ts';
import { DAY_MS, dayOf, monthOf, timestamp } from '../../../../shared/domain/time.ts';
import { evaluationStore } from '../../../../shared/storage/evaluation/evaluations.ts';
import { analyticsStore } from '../../../../shared/storage/runs/analytics.ts';
import { runStore } from '../../../../shared/storage/runs/runs.ts';
import { usageStore } from '../../../../shared/storage/runs/usage.ts';
import { suiteStore } from '../../../../shared/storage/suites/suites.ts';
import { runKey } from '../../../../shared/storage/table/keys.ts';
import type { Table } from '../../../../shared/storage/table/table.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
import { putSuite } from '../../../support/revisions/bars.ts';
import { sized } from '../../../support/soak.ts';
import { withOwn } from '../contended.ts';
import { resultOf } from '../results.ts';
import { admission, deletionAt, finishedRun, type MadeSuite, makeStoredSuite, runOf } from '../stored.ts';

const LAMBDAS = 3;
/** Two seconds before midnight. */
const START_MS = Date.parse('2036-05-30T23:59:58.000Z');
const RATES = [0, 1 / 3, 0.1, 0.7, 1];

const memory = new MemoryTable(() => nowMs);
let made: MadeSuite;
let nowMs = START_MS;
beforeEach(async () => {
  nowMs = START_MS;
  made = await makeStoredSuite(memory);
});

const results = [resultOf(0, 'x')];
const verdict = (rate: number) => ({
  status: rate >= 0.5 ? ('cleared' as const) : ('aborted' as const),
  pass_rate: rate,
  total_cases: 1,
  passed_cases: 0,
  failed_cases: 1,
  errored_cases: 0,
  inconclusive: false,
});

/** The table, but for what happens around its next transaction. */
function withFault(fault: (real: () => Promise<unknown>) => Promise<unknown>): Table {
  let faults = 1;
  const transact = (writes: Parameters<Table['transact']>[0]) => {
    const real = () => memory.transact(writes);
    return faults-- > 0 ? fault(real) : real();
  };
  return withOwn(memory, { transact } as Partial<Table>);
}

/** The first attempt took place, its answer got lost, and the second one meets its work. */
const answerLost = () => withFault(async (real) => [await real(), await real()][1]);
const meanwhile = (act: () => Promise<unknown>) => withFault(async (real) => [await act(), await real()][1]);

const currentHead = () => suiteStore(memory).head(made.orgId, made.suite.slug, made.suite.project_id);

interface Sent {
  readonly atMs?: number;
  readonly isFree?: boolean;
}

const planOf = ({ isFree = false }: Sent) => ({ id: isFree ? 'free' : 'pro', version: 1 }) as const;

async function commit(runs: ReturnType<typeof runStore>, rate: number, sent: Sent = {}): Promise<void> {
  const { atMs = nowMs } = sent;
  const run = finishedRun(made, results, { startedAtMs: atMs, completedAtMs: atMs, plan: planOf(sent) });
  runOf(await runs.commit({ ...run, run: { ...run.run, ...verdict(rate) } }));
}

async function admit(runs: ReturnType<typeof runStore>, sent: Sent = {}): Promise<Run> {
  const { atMs = nowMs } = sent;
  return runOf(await runs.admit(admission(made, { startedAtMs: atMs, plan: planOf(sent) })));
}

async function conclude(table: Table, { id }: Run, rate: number, refundsUsage = false): Promise<boolean> {
  const evaluations = evaluationStore(table, () => nowMs);
  const evaluation = await evaluations.find(made.orgId, id);
  if (evaluation === undefined) throw new Error(`no run ${id}`);
  const completed_at = timestamp(Math.max(nowMs, Date.parse(evaluation.run.created_at)));
  return evaluations.conclude(evaluation, {
    ...NO_RECORD,
    ...verdict(rate),
    duration_ms: 1,
    completed_at,
    refundsUsage,
  });
}

type Figures = Record<string, DayFigures>;

/** What the runs themselves say: of each day, and how many count in each month. */
async function recounted(): Promise<{ days: Figures; used: Record<string, number> }> {
  const items = await memory.query({ pk: runKey(made.orgId, made.suite.id, 1).pk, prefix: 'RUN#' });
  const days: Figures = {};
  const used: Record<string, number> = {};
  for (const item of items) {
    if (item.given_back === true) continue;
    const at = String(item.created_at);
    used[monthOf(at)] = (used[monthOf(at)] ?? 0) + 1;
    if (item.status === 'pending') continue;
    days[dayOf(at)] = plus(days[dayOf(at)] ?? NO_RUNS, figuresOf(item as unknown as Run));
  }
  return { days, used };
}

async function rolledUp(): Promise<{ days: Figures; used: Record<string, number> }> {
  const head = await currentHead();
  if (head === undefined) throw new Error('the suite is gone');
  const days = await analyticsStore(memory).days(made.orgId, head, {
    from: '2036-01-01',
    to: '2036-12-31',
    branch: undefined,
  });
  expect(days.map(({ date }) => date)).toEqual([...new Set(days.map(({ date }) => date))].sort().reverse());
  const months = ['2036-05', '2036-06'];
  const used = await Promise.all(months.map((month) => usageStore(memory).used(made.orgId, month)));
  const counted = <T>(entries: readonly (readonly [string, T])[], isCounted: (value: T) => boolean) =>
    Object.fromEntries(entries.filter(([, value]) => isCounted(value)));
  return {
    days: counted(
      days.map(({ date, figures }) => [date, figures] as const),
      ({ runs }) => runs > 0,
    ),
    used: counted(
      months.map((month, index) => [month, used[index] ?? 0] as const),
      (value) => value > 0,
    ),
  };
}

const by = {
  lambda: fc.nat(LAMBDAS - 1),
  lost: fc.boolean(),
  skewMs: fc.integer({ min: -3_000, max: 3_000 }),
  isFree: fc.boolean(),
};
const rate = fc.constantFrom(...RATES);
const act = fc.oneof(
  fc.record({ kind: fc.constant('commit' as const), rate, ...by }),
  fc.record({ kind: fc.constant('admit' as const), ...by }),
  fc.record({
    kind: fc.constant('conclude' as const),
    nth: fc.nat(99),
    times: fc.integer({ min: 1, max: 2 }),
    givesBack: fc.boolean(),
    rate,
    ...by,
  }),
);
/** What happens at once; then the clock moves on, often across a midnight. */
const round = fc.record({
  acts: fc.array(act, { minLength: 1, maxLength: 6 }),
  thenMs: fc.oneof(fc.integer({ min: 0, max: 4_000 }), fc.integer({ min: 0, max: 2 * DAY_MS })),
});

test('for any runs that are stored under any plan, end and are given back at once and around midnight, the figures of days and months equal those of the runs', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 6 }), async (rounds) => {
      nowMs = START_MS;
      made = await makeStoredSuite(memory);
      const lambdas = Array.from({ length: LAMBDAS }, () => runStore(memory, randomUUID));
      const pending: Run[] = [];
      for (const { acts, thenMs } of rounds) {
        const present = [...pending];
        const done = acts.map(async (wanted) => {
          const { lambda, lost, skewMs, isFree } = wanted;
          const sent = { atMs: nowMs + skewMs, isFree };
          const runs = lost ? runStore(answerLost(), randomUUID) : (lambdas[lambda] ?? lambdas[0]!);
          if (wanted.kind === 'commit') return commit(runs, wanted.rate, sent);
          if (wanted.kind === 'admit') return void pending.push(await admit(runs, sent));
          const run = present[wanted.nth % Math.max(1, present.length)];
          if (run === undefined) return;
          const table = lost ? answerLost() : memory;
          const once = () => conclude(table, run, wanted.rate, wanted.givesBack);
          await Promise.all(Array.from({ length: wanted.times }, once));
        });
        await Promise.all(done);
        expect(await rolledUp()).toEqual(await recounted());
        nowMs += thenMs;
      }
      await Promise.all(pending.map((run) => conclude(memory, run, 1)));
      expect(await rolledUp()).toEqual(await recounted());
    }),
    { numRuns: sized(15, 30) },
  );
});

test('a run whose suite is deleted before it ends, or while it does, ends and is in no figures', async () => {
  const runs = runStore(memory, randomUUID);
  const [first, second] = [await admit(runs), await admit(runs)];
  const remove = () => suiteStore(memory).delete(made.orgId, made.suite, deletionAt(timestamp(nowMs)));
  expect(await conclude(meanwhile(remove), first, 1)).toBe(true);
  expect(await conclude(memory, second, 1)).toBe(true);
  for (const { id } of [first, second])
    expect(await runs.find(made.orgId, id)).toMatchObject({ status: 'cleared' });
  expect((await recounted()).used).toEqual({ '2036-05': 2 });
});

test('a run of a suite that was deleted and made again is not in the figures of the new one', async () => {
  const runs = runStore(memory, randomUUID);
  const run = await admit(runs);
  await suiteStore(memory).delete(made.orgId, made.suite, deletionAt(timestamp(nowMs)));
  const again = { ...made.suite, id: randomUUID() };
  await putSuite(memory, made.orgId, again);
  expect(await conclude(memory, run, 1)).toBe(true);
  const head = await currentHead();
  expect(
    await analyticsStore(memory).days(made.orgId, head!, {
      from: '2036-01-01',
      to: '2036-12-31',
      branch: undefined,
    }),
  ).toEqual([]);
});

test('figures of a day are kept for 370 days', async () => {
  const runs = runStore(memory, randomUUID);
  await commit(runs, 1);
  nowMs += DAY_MS;
  await commit(runs, 1);
  const dates = async () => Object.keys((await rolledUp()).days).sort();
  nowMs = Date.parse('2036-05-30T00:00:00.000Z') + 370 * DAY_MS - 1;
  expect(await dates()).toEqual(['2036-05-30', '2036-05-31']);
  nowMs++;
  expect(await dates()).toEqual(['2036-05-31']);
});
