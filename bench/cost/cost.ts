import { FUNCTION_MEMORY_MB } from '../../infra/functionSizes.ts';
import { type Bench, type Bound, median, type Row } from '../result.ts';
import { accessLogBytes } from './accessLog.ts';
import { type Counts, invocationsOf, queueRequests, unitsOf } from './costCounts.ts';
import { idleRows, PLATFORM_LOG_BYTES } from './costIdle.ts';
import {
  CASES,
  countJudgedRuns,
  countOwnOutputs,
  countQueuedOutputs,
  countSyncRuns,
  FIFTY_CALLS,
  TWO_CALLS,
} from './costRuns.ts';
import { type FunctionKind, type MeteredService, startMeteredService } from './meteredService.ts';
import { PRICES } from './prices.ts';

const RUNS = { full: 10, smallest: 1 } as const;
const MILLION = 1_000_000;

/** Values that a laptop cannot measure. An invocation counts as at least this long. */
export interface Assumed {
  readonly apiSeconds: number;
  readonly evaluatorSeconds: number;
  /** Waiting for the models, which are called concurrently. */
  readonly waitSeconds: number;
}

export const SYNC_RUN: Assumed = { apiSeconds: 0.1, evaluatorSeconds: 0, waitSeconds: 0 };

/** The shortest of the runs: other load on the machine must not raise the price. */
const seconds = (counts: readonly Counts[], kind: FunctionKind, least: number): number => {
  const ofRun = (one: Counts): number =>
    invocationsOf(one, kind).reduce((sum, { ms }) => sum + Math.max(ms / 1_000, least), 0);
  return Math.min(...counts.map(ofRun));
};

/** Dollars of one run by item of the bill. */
export function linesOf(counts: readonly Counts[], assumed: Assumed): Record<string, number> {
  const medianOf = (figure: (counted: Counts) => number): number => median(counts.map(figure));
  const compute = (kind: 'api' | 'evaluator', least: number, waited: number): number => {
    const invocations = medianOf((one) => invocationsOf(one, kind).length);
    const gbSeconds = ((seconds(counts, kind, least) + waited) * FUNCTION_MEMORY_MB[kind]) / 1_024;
    return invocations * PRICES.lambdaInvocation + gbSeconds * PRICES.lambdaGbSecond;
  };
  const writes = (name?: string) => medianOf((one) => unitsOf(one, 'write', name)) * PRICES.dynamodbWriteUnit;
  const [limits, keyUse] = [writes('UpdateItem RATE'), writes('UpdateItem APIKEY')];
  const logBytes = medianOf((one) => one.logBytes + one.invocations.length * PLATFORM_LOG_BYTES);
  const requests = medianOf((one) => one.httpRequests);
  const edgeBytes =
    medianOf((one) => one.egressBytes) * PRICES.cloudfrontByte +
    medianOf((one) => one.sentBytes) * PRICES.cloudfrontOriginByte;
  return {
    CloudFront: requests * PRICES.cloudfrontRequest + edgeBytes,
    firewall: requests * PRICES.firewallRequest,
    'access log': requests * accessLogBytes() * PRICES.logByte,
    'HTTP API': requests * PRICES.httpRequest,
    'API Lambda': compute('api', assumed.apiSeconds, 0),
    'evaluator Lambda': compute('evaluator', assumed.evaluatorSeconds, assumed.waitSeconds),
    SQS: medianOf(queueRequests) * (PRICES.sqsRequest + PRICES.sqsFairRequest),
    'DynamoDB writes, rate limits': limits,
    "DynamoDB writes, API key's last use (at most once a minute)": keyUse,
    'DynamoDB writes, the run': writes() - limits - keyUse,
    'DynamoDB reads': medianOf((one) => unitsOf(one, 'read')) * PRICES.dynamodbReadUnit,
    KMS: medianOf((one) => one.kmsCalls) * PRICES.kmsCall,
    "functions' logs": logBytes * PRICES.logByte,
  };
}

/** Count and units of each kind of request to the table in a run. */
function tableRows(metric: string, { table }: Counts): Row[] {
  const names = new Set(table.map(({ name }) => name));
  return [...names].map((name) => {
    const operations = table.filter((operation) => operation.name === name);
    const value = operations.reduce((sum, { units }) => sum + units, 0);
    return {
      metric: `${metric}: ${operations.length} x ${name}`,
      value,
      unit: `${operations[0]?.kind} units`,
    };
  });
}

interface Bounds {
  readonly total?: Bound;
  readonly writeUnits?: Bound;
  readonly readUnits?: Bound;
}

function rowsOf(metric: string, counts: readonly Counts[], assumed: Assumed, bounds: Bounds): Row[] {
  const [first] = counts;
  if (first === undefined) return [];
  const figure = (what: string, value: number, bound?: Bound): Row => ({
    metric: `${metric}: ${what}`,
    value,
    unit: 'a run',
    ...(bound && { bound }),
  });
  const units = (kind: 'read' | 'write') => median(counts.map((one) => unitsOf(one, kind)));
  const lines = linesOf(counts, assumed);
  const unit = '$ per million runs';
  return [
    ...tableRows(metric, first),
    figure('HTTP requests', first.httpRequests),
    figure('write units', units('write'), bounds.writeUnits),
    figure('read units', units('read'), bounds.readUnits),
    figure('SQS requests', queueRequests(first)),
    figure('KMS calls', first.kmsCalls),
    figure('invocations', first.invocations.length),
    figure("bytes of functions' log lines", first.logBytes),
    figure('bytes of the access log', first.httpRequests * accessLogBytes()),
    figure('bytes answered', first.egressBytes),
    ...Object.entries(lines)
      .filter(([, dollars]) => dollars > 0)
      .map(([line, dollars]) => ({ metric: `${metric}: ${line}`, value: dollars * MILLION, unit })),
    {
      metric: `${metric}: total`,
      value: Object.values(lines).reduce((sum, dollars) => sum + dollars, 0) * MILLION,
      unit,
      ...(bounds.total && { bound: bounds.total }),
    },
  ];
}

async function rows(metered: MeteredService, runs: number): Promise<Row[]> {
  const sync = await countSyncRuns(metered, runs);
  const paid = await countSyncRuns(metered, runs, 'pro');
  const judged = await countJudgedRuns(metered, runs, TWO_CALLS);
  return [
    ...rowsOf(`sync run, ${CASES} deterministic cases`, sync, SYNC_RUN, {
      total: { atMost: 10.5 },
      writeUnits: { atMost: 8 },
      readUnits: { atMost: 3 },
    }),
    ...rowsOf(`sync run on Pro, ${CASES} deterministic cases`, paid, SYNC_RUN, {
      total: { atMost: 10.5 },
      writeUnits: { atMost: 8 },
      readUnits: { atMost: 3 },
    }),
    ...rowsOf(
      `sync run, ${CASES} deterministic cases, own outputs`,
      await countOwnOutputs(metered, runs),
      SYNC_RUN,
      { writeUnits: { atMost: 12 }, readUnits: { atMost: 3 } },
    ),
    ...rowsOf(
      `queued run, ${CASES} deterministic cases, own outputs`,
      await countQueuedOutputs(metered, runs),
      { apiSeconds: 0.1, evaluatorSeconds: 0.1, waitSeconds: 0 },
      {},
    ),
    ...rowsOf(
      `async run, ${TWO_CALLS.calls} judge calls`,
      judged,
      { apiSeconds: 0.04, evaluatorSeconds: 0.1, waitSeconds: 4 },
      { total: { atMost: 49 } },
    ),
    ...rowsOf(
      `async run, ${FIFTY_CALLS.calls} judge calls`,
      await countJudgedRuns(metered, runs, FIFTY_CALLS),
      { apiSeconds: 0.04, evaluatorSeconds: 0.1, waitSeconds: 9 },
      { writeUnits: { atMost: 170 }, readUnits: { atMost: 55 } },
    ),
    ...(await idleRows(metered)),
  ];
}

/** AWS's charges: counted operations of the real handlers at list prices. */
export const benchCost: Bench = async (size) => {
  const metered = await startMeteredService();
  try {
    return await rows(metered, RUNS[size]);
  } finally {
    await metered.stop();
  }
};
