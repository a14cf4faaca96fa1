import { environments } from '../../infra/aws/environments.ts';
import type { Random } from '../../test/faults/random.ts';
import { type Assumed, linesOf, SYNC_RUN } from '../cost/cost.ts';
import { type Counts, unitsOf } from '../cost/costCounts.ts';
import { CASES } from '../cost/costRuns.ts';
import { median, type Row } from '../result.ts';
import { hottestRows, zipf } from './loadKeys.ts';
import {
  AVERAGE,
  counted,
  demand,
  JUDGED,
  JUDGED_PART,
  JUDGED_RUN,
  PEAK,
  RUNS_A_DAY,
  type Traffic,
} from './loadTraffic.ts';
import type { Model } from './model.ts';

const SIZE = {
  full: { runs: 5, organisations: 100_000, seconds: 120 },
  smallest: { runs: 1, organisations: 10, seconds: 1 },
} as const;

/** AWS's quotas of an account that asked for no more, and of a table on demand. */
const ACCOUNT_EXECUTIONS = 1_000;
const NEW_TABLE_WRITE_UNITS = 4_000;
const TABLE_WRITE_UNITS = 40_000;
const MONTH_RUNS = 30 * RUNS_A_DAY;

function executionRows(): Row[] {
  const { requests, calls, api, held, evaluators } = demand();
  const row = (what: string, each: number, unit: string): Row[] => [
    { metric: `big load, average: ${what}`, value: AVERAGE * each, unit },
    { metric: `big load, peak: ${what}`, value: PEAK * AVERAGE * each, unit },
  ];
  return [
    ...row('runs', 1, 'a second'),
    ...row('requests, with one look a second at a pending run', requests, 'a second'),
    ...row('judge calls', calls, 'a second'),
    ...row('functions of the API', api, 'at once'),
    ...row('functions of the API that wait for verdicts, if no judged run is async', held, 'at once'),
    ...row('evaluators', evaluators, 'at once'),
    ...row('executions in all', api + evaluators, 'at once'),
  ];
}

/** At how many runs a second of this mix production meets a limit, if that were the only one. */
function limitRows({ sync, judged }: Traffic): Row[] {
  const { requests, api, held, evaluators } = demand();
  const units = (type: 'read' | 'write') =>
    (1 - JUDGED_PART) * median(sync.map((one) => unitsOf(one, type))) +
    JUDGED_PART * median(judged.map((one) => unitsOf(one, type)));
  const { evaluatorsMax, apiRequestsPerSecond, warmThroughput } = environments.prod;
  const reached = (limit: string, value: number, each: number): Row => ({
    metric: `big load: ${value} ${limit} are reached at`,
    value: value / each,
    unit: 'runs a second',
  });
  return [
    reached('evaluators (evaluatorsMax)', evaluatorsMax, evaluators),
    reached('executions of an account', ACCOUNT_EXECUTIONS, api + evaluators),
    reached('executions, if no judged run is async,', ACCOUNT_EXECUTIONS, api + evaluators + held),
    reached('requests a second (apiRequestsPerSecond)', apiRequestsPerSecond, requests),
    reached('write units a second of a new table', NEW_TABLE_WRITE_UNITS, units('write')),
    reached(
      'write units a second of warmThroughput',
      warmThroughput?.writeUnitsPerSecond ?? 0,
      units('write'),
    ),
    reached('read units a second of warmThroughput', warmThroughput?.readUnitsPerSecond ?? 0, units('read')),
    reached("write units a second of a table's quota", TABLE_WRITE_UNITS, units('write')),
  ];
}

function unitRows({ sync, judged }: Traffic): Row[] {
  return (['write', 'read'] as const).flatMap((type) => {
    const [ofSync, ofJudged] = [sync, judged].map((counts) =>
      median(counts.map((one) => unitsOf(one, type))),
    );
    const average = AVERAGE * ((1 - JUDGED_PART) * (ofSync ?? 0) + JUDGED_PART * (ofJudged ?? 0));
    return [
      { metric: `big load: a sync run of ${CASES} cases`, value: ofSync ?? 0, unit: `${type} units` },
      {
        metric: `big load: an async run of ${JUDGED.calls} judged cases with ${JUDGED.looks} looks`,
        value: ofJudged ?? 0,
        unit: `${type} units`,
      },
      { metric: 'big load, average: table', value: average, unit: `${type} units a second` },
      { metric: 'big load, peak: table', value: PEAK * average, unit: `${type} units a second` },
    ];
  });
}

function costRows({ sync, judged }: Traffic): Row[] {
  const dollars = (counts: readonly Counts[], assumed: Assumed): number =>
    Object.values(linesOf(counts, assumed)).reduce((sum, line) => sum + line, 0);
  const ofSync = (1 - JUDGED_PART) * MONTH_RUNS * dollars(sync, SYNC_RUN);
  const ofJudged = JUDGED_PART * MONTH_RUNS * dollars(judged, JUDGED_RUN);
  const row = (what: string, value: number): Row => ({
    metric: `big load: ${what}`,
    value,
    unit: '$ a month',
  });
  return [
    row('sync runs', ofSync),
    row('judged runs, without the calls, which the customers pay', ofJudged),
    row('all runs, without stored data', ofSync + ofJudged),
  ];
}

/**
 * 100,000 organisations with 10 million runs a day, a fifth of them judged, and a peak of ten times the average: the
 * units of a run are counted on the real handlers, the hottest keys drawn, the rest is arithmetic.
 */
export const modelBigLoad: Model = async (size) => {
  const { runs, organisations, seconds } = SIZE[size];
  const traffic = await counted(runs);
  const even = (random: Random) => random.int(0, organisations - 1);
  return [
    ...executionRows(),
    ...unitRows(traffic),
    ...limitRows(traffic),
    ...hottestRows('big load, peak, organisations alike', traffic, { seconds, organisation: even }),
    ...hottestRows("big load, peak, organisations by Zipf's law", traffic, {
      seconds,
      organisation: zipf(organisations),
    }),
    ...costRows(traffic),
  ];
};
