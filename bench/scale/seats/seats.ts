import { awaitVerdict } from '../../../shared/domain/runs/awaitVerdict.ts';
import { waitingChunkStore } from '../../../shared/storage/evaluation/waitingChunks.ts';
import { chainStore } from '../../../shared/storage/revisions/chains.ts';
import { runStore } from '../../../shared/storage/runs/runs.ts';
import type { Simulation } from '../../../test/faults/simulation.ts';
import type { Row } from '../../result.ts';
import type { Model } from '../model.ts';
import { Gauge, inVirtualTime, percentile, poisson } from '../virtualTime.ts';
import { runApart } from './apart.ts';
import { NOISY_IN_FLIGHT, NOISY_SHARE, SEND_MS, START_MS } from './fairQueue.ts';
import { EVALUATORS, SeatsStage, type Tenant } from './stage.ts';
import { secondsToVerdict } from './verdicts.ts';

interface Backlog {
  readonly tenants: number;
  readonly chunks: number;
  readonly casesOfChunk: number;
  /** Chunks of a run. */
  readonly chunksOfRun: number;
  readonly isBound: boolean;
}

const BACKLOGS: readonly Backlog[] = [
  { tenants: 20, chunks: 400, casesOfChunk: 20, chunksOfRun: 1, isBound: true },
  { tenants: 20, chunks: 50, casesOfChunk: 200, chunksOfRun: 50, isBound: true },
  { tenants: 10, chunks: 400, casesOfChunk: 20, chunksOfRun: 1, isBound: true },
  { tenants: 1, chunks: 1_000, casesOfChunk: 20, chunksOfRun: 1, isBound: true },
  { tenants: 1, chunks: 6_000, casesOfChunk: 20, chunksOfRun: 1, isBound: false },
  { tenants: 1, chunks: 1_000, casesOfChunk: 2, chunksOfRun: 1, isBound: true },
];
const SMALLEST: Backlog = { tenants: 2, chunks: 3, casesOfChunk: 2, chunksOfRun: 1, isBound: false };

const SECONDS = { full: 300, smallest: 4 } as const;
const CALL_MS = [1_500, 4_500] as const;
const SLOTS = 20;
const QUIET_TENANTS = 10;
const QUIET_CASES = 10;
const QUIET_EVERY_MS = 2_000;

/** Runs of quiet organisations, one every 2 s: seconds from its message to its verdict. */
async function quietRuns(stage: SeatsStage, seconds: number): Promise<number[]> {
  const { sim, queue } = stage;
  const tenants: Tenant[] = [];
  for (let tenant = 0; tenant < QUIET_TENANTS; tenant++) tenants.push(await stage.tenant(QUIET_CASES));
  const waits: Promise<number>[] = [];
  for (let nth = 0; nth * QUIET_EVERY_MS < 1_000 * seconds; nth++) {
    const tenant = tenants[nth % tenants.length];
    if (tenant === undefined) throw new Error('nobody is quiet');
    const messages = await stage.run(tenant);
    waits.push(secondsToVerdict(stage, messages));
    await queue.send(messages);
    await sim.sleep(QUIET_EVERY_MS);
  }
  return Promise.all(waits);
}

async function backlog(sim: Simulation, seconds: number, load: Backlog): Promise<Row[]> {
  const startedAtMs = sim.now();
  const stage = new SeatsStage(sim, { callMs: CALL_MS });
  const noisy: Tenant[] = [];
  for (let nth = 0; nth < load.tenants; nth++) noisy.push(await stage.tenant(load.casesOfChunk));
  for (let run = 0; run < load.chunks / load.chunksOfRun; run++) {
    for (const tenant of noisy) void stage.queue.send(await stage.run(tenant, { chunks: load.chunksOfRun }));
  }
  const quiet = quietRuns(stage, seconds);
  await sim.sleep(1_000 * seconds);
  const inUse = noisy.reduce((sum, { calls }) => sum + calls.mean, 0);
  const { read, write } = stage.table.consumed();
  const busy = stage.busy.mean;
  const inVain = stage.idle.mean + stage.unusedMs / (sim.now() - startedAtMs);
  const waits = await quiet;
  const { tenants, chunks, casesOfChunk, isBound } = load;
  const metric = `${tenants} x ${chunks} chunks of ${casesOfChunk} judged cases at once`;
  const bound = (bound: NonNullable<Row['bound']>) => (isBound ? { bound } : {});
  return [
    { metric: `${metric}: a quiet organisation's run, p50`, value: percentile(waits, 0.5), unit: 's' },
    {
      metric: `${metric}: the same, p99`,
      value: percentile(waits, 0.99),
      unit: 's',
      ...bound({ atMost: 10 }),
    },
    { metric: `${metric}: evaluators busy, mean`, value: busy, unit: 'of 200' },
    {
      metric: `${metric}: of it in vain, waiting for a slot or finding no seat`,
      ...{ value: (100 * inVain) / busy, unit: '% of evaluator time', ...bound({ atMost: 5 }) },
    },
    {
      metric: `${metric}: slots in use, mean`,
      ...{ value: inUse, unit: `of ${SLOTS * tenants}`, ...bound({ atLeast: 0.75 * SLOTS * tenants }) },
    },
    { metric: `${metric}: write units`, value: write / stage.calls, unit: 'a call' },
    { metric: `${metric}: read units`, value: read / stage.calls, unit: 'a call' },
    { metric: `${metric}: messages failed`, value: stage.failures, unit: 'of all', ...bound({ atMost: 0 }) },
  ];
}

const LONE_CASES = 50;

/** What the evaluation of a run costs the table while nothing else happens; its admission and its plan are not in it. */
async function loneRun(sim: Simulation): Promise<Row[]> {
  const stage = new SeatsStage(sim, { callMs: CALL_MS });
  await stage.queue.send(await stage.run(await stage.tenant(LONE_CASES)));
  await sim.sleep(60_000);
  const { read, write } = stage.table.consumed();
  const metric = `evaluation of a lone run of ${LONE_CASES} judged cases`;
  return [
    { metric: `${metric}: write units`, value: write, unit: 'a run' },
    { metric: `${metric}: read units`, value: read, unit: 'a run' },
  ];
}

const SLOW_CALL_MS = [20_000, 40_000] as const;
const CALLERS = { full: { perSecond: 32, seconds: 60 }, smallest: { perSecond: 2, seconds: 1 } } as const;

/** Callers of one organisation with a slow judge that wait for their verdicts: how many functions they hold. */
async function callers(sim: Simulation, load: { perSecond: number; seconds: number }): Promise<Row[]> {
  const stage = new SeatsStage(sim, { callMs: SLOW_CALL_MS });
  const tenant = await stage.tenant(QUIET_CASES);
  const { orgId } = tenant.made;
  const held = new Gauge(sim);
  const { now, sleep } = sim;
  const runs = runStore(stage.table, () => sim.random.uuid());
  const chains = chainStore(stage.table);
  const waiting = waitingChunkStore(stage.table, now);
  await poisson(sim, load, () =>
    held.during(async () => {
      const startedAtMs = now();
      const messages = await stage.run(tenant);
      await stage.queue.send(messages);
      const run = await runs.find(orgId, messages[0]?.run_id ?? '');
      if (run === undefined || (await waiting.areAny(orgId))) return;
      await awaitVerdict({ runs, chains, now, sleep }, orgId, run, startedAtMs);
    }),
  );
  const metric = `${load.perSecond} callers a second of one organisation wait for a judge of 20 to 40 s`;
  return [
    { metric: `${metric}: functions held, most`, value: held.most, unit: 'of 400', bound: { atMost: 100 } },
  ];
}

const assumed = (metric: string, value: number, unit: string): Row => ({
  metric: `assumed of judged runs: ${metric}`,
  ...{ value, unit },
});

const assumptions = (): Row[] => [
  assumed("a judge's call takes from", CALL_MS[0], 'ms'),
  assumed("a judge's call takes up to", CALL_MS[1], 'ms'),
  assumed('a message is taken by the queue within', SEND_MS, 'ms'),
  assumed('an evaluator starts within', START_MS, 'ms'),
  assumed('evaluators that are there from the start', EVALUATORS, 'functions'),
  assumed('a group of the queue is noisy from', NOISY_IN_FLIGHT, 'messages in flight'),
  assumed('if it has more of them, or of the processing time of two minutes, than', 100 * NOISY_SHARE, '%'),
];

/** What one organisation's backlog of judged runs costs the others. */
export const modelSeats: Model = async (size) => {
  const rows = assumptions();
  for (const load of size === 'full' ? BACKLOGS : [SMALLEST]) {
    rows.push(...(await inVirtualTime('seats', 1, (sim) => backlog(sim, SECONDS[size], load))));
  }
  for (const why of ['two judges', 'tried before'] as const) {
    rows.push(...(await inVirtualTime(why, 1, (sim) => runApart(sim, why, size))));
  }
  rows.push(...(await inVirtualTime('lone run', 1, loneRun)));
  rows.push(...(await inVirtualTime('callers', 1, (sim) => callers(sim, CALLERS[size]))));
  return rows;
};
