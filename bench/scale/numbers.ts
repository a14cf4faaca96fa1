import type { PlanInForce } from '../../shared/domain/plans.ts';
import { monthOf, timestamp } from '../../shared/domain/time.ts';
import { changePlan } from '../../shared/storage/billing/planChanges.ts';
import { runStore } from '../../shared/storage/runs/runs.ts';
import { usageStore } from '../../shared/storage/runs/usage.ts';
import { suiteStore } from '../../shared/storage/suites/suites.ts';
import { organisationKey } from '../../shared/storage/table/keys.ts';
import type { Simulation } from '../../test/faults/simulation.ts';
import { resultOf } from '../../test/shared/storage/results.ts';
import { finishedRun, type MadeSuite, makeStoredSuite } from '../../test/shared/storage/stored.ts';
import type { Row, Size } from '../result.ts';
import { TRANSACTION_MS, USUAL_TRANSACTION_MS } from './assumptions.ts';
import { ContendedTable } from './contendedTable.ts';
import type { Model } from './model.ts';
import { Gauge, inVirtualTime, percentile, poisson } from './virtualTime.ts';

const MS_OF_SCORING = 20;
/** Clocks of functions differ by so much at most, either way. */
const SKEW_MS = 20;
const P99_MS_MAX = 250;

interface Load {
  readonly what: string;
  readonly perSecond: number;
  readonly seconds: number;
  readonly suites: number;
  /** Of a plan that blocks further runs: all its runs are counted in one item. */
  readonly isFree?: boolean;
  /** The plan changes this many times, once a second. */
  readonly changes?: number;
}

const LOADS: Record<Size, readonly Load[]> = {
  full: [
    { what: '100 runs a second on one suite', perSecond: 100, seconds: 60, suites: 1 },
    { what: '200 runs a second over 50 suites', perSecond: 200, seconds: 60, suites: 50 },
    { what: '5,000 jobs in a minute on one suite', perSecond: 5_000 / 60, seconds: 60, suites: 1 },
    {
      what: '200 runs a second over 50 suites while the plan changes five times',
      perSecond: 200,
      seconds: 10,
      suites: 50,
      changes: 5,
    },
    { what: '200 runs a second on one suite', perSecond: 200, seconds: 30, suites: 1 },
    {
      what: '500 runs of Free in ten seconds, on one suite',
      perSecond: 50,
      seconds: 10,
      suites: 1,
      isFree: true,
    },
  ],
  smallest: [
    { what: '10 runs a second on two suites', perSecond: 10, seconds: 1, suites: 2 },
    {
      what: '200 runs a second over 50 suites while the plan changes once',
      perSecond: 200,
      seconds: 2,
      suites: 50,
      changes: 1,
    },
  ],
};

/** A warm function: its store remembers where it met others. */
interface Warm {
  readonly runs: ReturnType<typeof runStore>;
  readonly skewMs: number;
}

/** Functions that handle one request each, as Lambda has them: started when no other is free. */
class Functions {
  readonly atOnce: Gauge;
  readonly #idle: Warm[] = [];
  readonly #sim: Simulation;
  readonly #table: ContendedTable;

  constructor(sim: Simulation, table: ContendedTable) {
    this.#sim = sim;
    this.#table = table;
    this.atOnce = new Gauge(sim);
  }

  async handle<T>(request: (warm: Warm) => Promise<T>): Promise<T> {
    const { random } = this.#sim;
    const warm = this.#idle.pop() ?? {
      runs: runStore(this.#table, () => random.uuid()),
      skewMs: random.int(-SKEW_MS, SKEW_MS),
    };
    return this.atOnce.during(() => request(warm)).finally(() => this.#idle.push(warm));
  }
}

/** Reads the suite's head, scores, stores: what a synchronous run does after it is authenticated. */
async function oneRun(
  { sim, table }: { readonly sim: Simulation; readonly table: ContendedTable },
  { runs, skewMs }: Warm,
  made: MadeSuite,
  plan: PlanInForce,
): Promise<boolean> {
  const startedAtMs = sim.now() + skewMs;
  const [head] = await suiteStore(table).headsOfSlug(made.orgId, made.suite.slug);
  if (head === undefined) throw new Error('the suite is gone');
  await sim.sleep(MS_OF_SCORING);
  const completedAtMs = sim.now() + skewMs;
  const run = finishedRun({ ...made, head }, [resultOf(0, 'x')], { startedAtMs, completedAtMs, plan });
  return (await runs.commit(run)).outcome === 'stored';
}

/** What a run finds when it is authenticated. */
interface LetIn {
  plan: PlanInForce;
}

interface Played {
  readonly stored: readonly boolean[];
  readonly waitsMs: readonly number[];
  readonly functionsAtOnce: number;
  readonly table: ContendedTable;
}

const play = (load: Load, transactionMs: number): Promise<Played> =>
  inVirtualTime(load.what, 1, async (sim) => {
    const table = new ContendedTable(sim, { transactionMs });
    const first = await makeStoredSuite(table.memory);
    const suites = [first];
    while (suites.length < load.suites) suites.push(await makeStoredSuite(table.memory, { beside: first }));
    const functions = new Functions(sim, table);
    const letIn: LetIn = { plan: { id: load.isFree ? 'free' : 'pro', version: 1 } };
    const changing = changePlans({ sim, table }, { orgId: first.orgId, letIn }, load.changes ?? 0);
    const months = new Set([monthOf(timestamp(sim.now() - SKEW_MS))]);
    const waitsMs: number[] = [];
    const stored = await poisson(sim, load, async () => {
      const fromMs = sim.elapsedMs;
      const made = sim.random.pick(suites);
      const isStored = await functions.handle((warm) => oneRun({ sim, table }, warm, made, letIn.plan));
      waitsMs.push(sim.elapsedMs - fromMs);
      return isStored;
    });
    await changing;
    months.add(monthOf(timestamp(sim.now())));
    await checkUsage(table, first.orgId, months, stored.filter(Boolean).length);
    return { stored, waitsMs, functionsAtOnce: functions.atOnce.most, table };
  });

/** Between plans that block no runs. */
async function changePlans(
  { sim, table }: Parameters<typeof oneRun>[0],
  { orgId, letIn }: { readonly orgId: string; readonly letIn: LetIn },
  changes: number,
) {
  if (changes === 0) return;
  const at = timestamp(sim.now());
  const organisation = {
    id: orgId,
    name: 'Loud',
    plan: 'pro',
    created_at: at,
    updated_at: at,
    version: 1,
    plan_version: 1,
  };
  await table.memory.put({ ...organisationKey(orgId), ...organisation });
  for (let change = 0; change < changes; change++) {
    await sim.sleep(1_000);
    const id = change % 2 === 0 ? 'scale' : 'pro';
    await changePlan(table, { orgId, plan: () => id, atMs: sim.now(), alongside: {} });
    letIn.plan = { id, version: change + 2 };
  }
}

/** A model whose runs are not counted exactly shows nothing. */
async function checkUsage(table: ContendedTable, orgId: string, months: Iterable<string>, stored: number) {
  let used = 0;
  for (const month of months) used += await usageStore(table.memory).used(orgId, month);
  if (used !== stored) throw new Error(`${used} runs are counted, and ${stored} were stored`);
}

function rowsOf(load: Load, transactionMs: number, played: Played): Row[] {
  const { stored, waitsMs, functionsAtOnce, table } = played;
  const metric = `${load.what}, transactions of ${transactionMs} ms`;
  const failed = stored.filter((isStored) => !isStored).length;
  const isPromised = load.isFree !== true;
  const p99 = percentile(waitsMs, 0.99);
  const isBound = isPromised && transactionMs === USUAL_TRANSACTION_MS;
  return [
    {
      metric: `${metric}: answered 429`,
      value: failed,
      unit: `of ${stored.length} runs`,
      ...(isPromised && { bound: { atMost: 0 } }),
    },
    { metric: `${metric}: p50`, value: percentile(waitsMs, 0.5), unit: 'ms' },
    { metric: `${metric}: p99`, value: p99, unit: 'ms', ...(isBound && { bound: { atMost: P99_MS_MAX } }) },
    { metric: `${metric}: functions`, value: functionsAtOnce, unit: 'at once' },
    { metric: `${metric}: transactions`, value: table.transactions / stored.length, unit: 'a run' },
    {
      metric: `${metric}: hottest key`,
      value: table.units.hottest('write')?.unitsPerSecond ?? 0,
      unit: 'write units a second',
    },
  ];
}

/** Numbers and counters of runs that one organisation stores at once, by the code that stores them. */
export const modelNumbers: Model = async (size) => {
  const rows: Row[] = [
    { metric: 'assumed: scoring of a run takes', value: MS_OF_SCORING, unit: 'ms' },
    { metric: 'assumed: clocks of two functions differ by at most', value: 2 * SKEW_MS, unit: 'ms' },
  ];
  for (const load of LOADS[size]) {
    for (const ms of TRANSACTION_MS) rows.push(...rowsOf(load, ms, await play(load, ms)));
  }
  return rows;
};
