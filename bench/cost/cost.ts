import { FUNCTION_MEMORY_MB } from '../../infra/functionMemory.ts';
import { type Bench, type Bound, median, type Row } from '../result.ts';
import { type Counts, invocationsOf, queueRequests, unitsOf } from './costCounts.ts';
import { type FunctionKind, type MeteredHouse, startMeteredHouse } from './costHouse.ts';
import { idleRows, PLATFORM_LOG_BYTES } from './costIdle.ts';
import { CASES, countJudgedRuns, countSyncRuns, JUDGE_CALLS } from './costRuns.ts';
import { PRICES } from './prices.ts';

const RUNS = { full: 10, smallest: 1 } as const;
const MILLION = 1_000_000;

/** What no laptop can measure. An invocation takes this long at least, whatever it took here. */
interface Assumed {
  readonly apiSeconds: number;
  readonly evaluatorSeconds: number;
  /** For the models, which are asked at once. */
  readonly waitSeconds: number;
}

/** Of the run that was disturbed least: what else the machine does is no part of the price. */
const seconds = (counts: readonly Counts[], kind: FunctionKind, least: number): number => {
  const ofRun = (one: Counts): number =>
    invocationsOf(one, kind).reduce((sum, { ms }) => sum + Math.max(ms / 1_000, least), 0);
  return Math.min(...counts.map(ofRun));
};

/** The dollars of one run, line by line. */
function linesOf(counts: readonly Counts[], assumed: Assumed): Record<string, number> {
  const of = (figure: (one: Counts) => number): number => median(counts.map(figure));
  const compute = (kind: 'api' | 'evaluator', least: number, waited: number): number => {
    const invocations = of((one) => invocationsOf(one, kind).length);
    const gbSeconds = ((seconds(counts, kind, least) + waited) * FUNCTION_MEMORY_MB[kind]) / 1_024;
    return invocations * PRICES.lambdaInvocation + gbSeconds * PRICES.lambdaGbSecond;
  };
  const writes = (name?: string) => of((one) => unitsOf(one, 'write', name)) * PRICES.dynamodbWriteUnit;
  const [limits, keyUse] = [writes('UpdateItem RATE'), writes('UpdateItem APIKEY')];
  const logBytes = of((one) => one.logBytes + one.invocations.length * PLATFORM_LOG_BYTES);
  return {
    'HTTP API': of((one) => one.httpRequests) * PRICES.httpRequest,
    'API Lambda': compute('api', assumed.apiSeconds, 0),
    'evaluator Lambda': compute('evaluator', assumed.evaluatorSeconds, assumed.waitSeconds),
    SQS: of(queueRequests) * (PRICES.sqsRequest + PRICES.sqsFairRequest),
    'DynamoDB writes, rate limits': limits,
    "DynamoDB writes, API key's last use (at most once a minute)": keyUse,
    'DynamoDB writes, the run': writes() - limits - keyUse,
    'DynamoDB reads': of((one) => unitsOf(one, 'read')) * PRICES.dynamodbReadUnit,
    KMS: of((one) => one.kmsCalls) * PRICES.kmsCall,
    logs: logBytes * PRICES.logByte,
    egress: of((one) => one.egressBytes) * PRICES.egressByte,
  };
}

/** How often each request to the table was made in a run, and its units in all. */
function tableRows(metric: string, { table }: Counts): Row[] {
  const names = new Set(table.map(({ name }) => name));
  return [...names].map((name) => {
    const made = table.filter((operation) => operation.name === name);
    const value = made.reduce((sum, { units }) => sum + units, 0);
    return { metric: `${metric}: ${made.length} x ${name}`, value, unit: `${made[0]?.kind} units` };
  });
}

function rowsOf(metric: string, counts: readonly Counts[], assumed: Assumed, bound: Bound): Row[] {
  const [first] = counts;
  if (first === undefined) return [];
  const figure = (what: string, value: number): Row => ({
    metric: `${metric}: ${what}`,
    value,
    unit: 'a run',
  });
  const lines = linesOf(counts, assumed);
  const unit = '$ per million runs';
  return [
    ...tableRows(metric, first),
    figure('HTTP requests', first.httpRequests),
    figure('write units', unitsOf(first, 'write')),
    figure('read units', unitsOf(first, 'read')),
    figure('SQS requests', queueRequests(first)),
    figure('KMS calls', first.kmsCalls),
    figure('invocations', first.invocations.length),
    figure('bytes of log lines', first.logBytes),
    figure('bytes answered', first.egressBytes),
    ...Object.entries(lines)
      .filter(([, dollars]) => dollars > 0)
      .map(([line, dollars]) => ({ metric: `${metric}: ${line}`, value: dollars * MILLION, unit })),
    {
      metric: `${metric}: total`,
      value: Object.values(lines).reduce((sum, dollars) => sum + dollars, 0) * MILLION,
      unit,
      bound,
    },
  ];
}

async function rows(house: MeteredHouse, runs: number): Promise<Row[]> {
  const sync = await countSyncRuns(house, runs);
  const judged = await countJudgedRuns(house, runs);
  return [
    ...rowsOf(
      `sync run, ${CASES} deterministic cases`,
      sync,
      { apiSeconds: 0.1, evaluatorSeconds: 0, waitSeconds: 0 },
      { atMost: 8.5 },
    ),
    ...rowsOf(
      `async run, ${JUDGE_CALLS} judge calls`,
      judged,
      { apiSeconds: 0.04, evaluatorSeconds: 0.1, waitSeconds: 4 },
      { atMost: 45 },
    ),
    ...(await idleRows(house)),
  ];
}

/** What AWS would charge: the operations of the real handlers, counted, at its prices. */
export const benchCost: Bench = async (size) => {
  const house = await startMeteredHouse();
  try {
    return await rows(house, RUNS[size]);
  } finally {
    await house.stop();
  }
};
