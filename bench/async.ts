import { readFileSync } from 'node:fs';
import { makeJudgedGate } from '../test/functions/judged/gate.ts';
import { makeGate } from '../test/functions/runs/gate.ts';
import { type Answer, verdict } from '../test/support/providers.ts';
import { ended, newClient, type ProcessStage, startStage, submit } from '../test/support/stage.ts';
import { unitsPerCase } from './evaluationUnits.ts';
import type { Bench, Row } from './result.ts';
import { fillGate, OUTPUT } from './suite.ts';

const SIZE = {
  full: { cases: [1_000, 10_000], runs: 3, judgedRuns: 3, judgedCases: 60, answerMs: 500 },
  smallest: { cases: [10], runs: 1, judgedRuns: 1, judgedCases: 2, answerMs: 1 },
} as const;
type Sizes = (typeof SIZE)[keyof typeof SIZE];
const MEGABYTE = 1_024;

/** Kilobytes of the service's process from Linux's /proc: other systems keep no peak. */
function memory({ service }: ProcessStage, field: 'VmHWM' | 'VmRSS'): number {
  if (process.platform !== 'linux') return Number.NaN;
  const status = readFileSync(`/proc/${service.process.pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]);
}

/** A small heap shows the memory that is needed, rather than what the collector takes while there is plenty. */
const SMALL_HEAP = { NODE_OPTIONS: '--max-old-space-size=96 --max-semi-space-size=4' };

interface Measured {
  readonly seconds: number;
  readonly peakMb: number;
  readonly grownMb: number;
}

/** Measures async runs of `cases` deterministic cases, on a new service because a peak never goes down. */
async function measure(
  cases: number,
  runs: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Measured> {
  const stage = await startStage(env);
  try {
    const { client } = await newClient(stage);
    const gate = await makeGate(stage.service.baseUrl, { pass_threshold: 0.5 }, client);
    const output = await fillGate(gate, stage.table, cases);
    const idle = memory(stage, 'VmRSS');
    const started = performance.now();
    for (let nth = 0; nth < runs; nth++) {
      const run = await ended(client, await submit(client, { suite: gate.suite.slug, output }));
      if (run.status !== 'cleared' || run.total_cases !== cases) throw new Error(JSON.stringify(run));
    }
    const seconds = (performance.now() - started) / 1_000 / runs;
    const peak = memory(stage, 'VmHWM');
    return { seconds, peakMb: peak / MEGABYTE, grownMb: (peak - idle) / MEGABYTE };
  } finally {
    await stage.stop();
  }
}

interface Series {
  readonly cases: number;
  readonly measured: Measured;
  readonly units: number;
  /** With the small heap. */
  readonly need: Measured;
}

function rowsOf({ cases, measured, units }: Series): Row[] {
  const metric = `async run, ${cases} deterministic cases`;
  return [
    { metric, value: measured.seconds, unit: 's to its verdict' },
    { metric, value: measured.peakMb, unit: 'MB peak of the service' },
    { metric, value: measured.grownMb, unit: 'MB above idle' },
    { metric, value: units, unit: 'request units a case' },
  ];
}

async function largeRuns({ cases: counts, runs }: Sizes): Promise<Row[]> {
  const series: Series[] = [];
  for (const cases of counts) {
    series.push({
      cases,
      measured: await measure(cases, runs),
      units: await unitsPerCase(cases),
      need: await measure(cases, runs, SMALL_HEAP),
    });
  }
  const [few, many] = [series[0], series.at(-1)];
  if (few === undefined || many === undefined) return [];
  const metric = `async run, ${many.cases} cases against ${few.cases}`;
  const peak = (of: 'measured' | 'need') => many[of].peakMb / few[of].peakMb;
  return [
    ...series.flatMap(rowsOf),
    { metric, value: peak('measured'), unit: 'x peak memory', bound: { atMost: 2 } },
    { metric: `${metric}, heap of 96 MB`, value: peak('need'), unit: 'x peak memory', bound: { atMost: 2 } },
    { metric, value: many.units / few.units, unit: 'x units a case', bound: { atMost: 1 } },
  ].filter(({ value }) => !Number.isNaN(value));
}

const SLOTS = 20;

/** Tracks concurrent calls: their maximum and their mean over time. */
function traffic(answerMs: number) {
  const calls: { from: number; to: number }[] = [];
  let now = 0;
  let max = 0;
  const answer: Answer = async (call, response) => {
    const record = { from: performance.now(), to: 0 };
    calls.push(record);
    max = Math.max(max, ++now);
    await new Promise((resolve) => setTimeout(resolve, answerMs));
    await verdict()(call, response);
    now--;
    record.to = performance.now();
  };
  /** Until the start of the last call: after it no backlog is left. */
  const mean = () => {
    const [from, to] = [calls[0]?.from ?? 0, calls.at(-1)?.from ?? 0];
    const busy = calls.reduce((sum, call) => sum + Math.max(0, Math.min(call.to, to) - call.from), 0);
    return busy / (to - from);
  };
  return { answer, mean, max: () => max };
}

async function judgeBacklog({ judgedRuns, judgedCases, answerMs }: Sizes): Promise<Row[]> {
  const stage = await startStage({ LOG_LEVEL: 'warn' });
  try {
    const gate = await makeJudgedGate(stage, { count: judgedCases });
    const body = { suite: gate.suite.slug, output: OUTPUT };
    await gate.run(OUTPUT);
    const { answer, mean, max } = traffic(answerMs);
    stage.providers.always('openai', answer);
    const started = performance.now();
    const ids = await Promise.all(Array.from({ length: judgedRuns }, () => submit(gate.client, body)));
    for (const id of ids) {
      const run = await ended(gate.client, id);
      if (run.passed_cases !== judgedCases) throw new Error(JSON.stringify(run));
    }
    const seconds = (performance.now() - started) / 1_000;
    const ideal = (judgedRuns * judgedCases * answerMs) / SLOTS / 1_000;
    const metric = `${judgedRuns} runs of ${judgedCases} judged cases at once`;
    return [
      { metric, value: mean(), unit: `of ${SLOTS} calls in flight, mean`, bound: { atLeast: 15 } },
      { metric, value: max(), unit: `of ${SLOTS} calls in flight, most`, bound: { atMost: 20 } },
      { metric, value: seconds / ideal, unit: 'x the least time possible' },
    ];
  } finally {
    await stage.stop();
  }
}

/** Measures runs through queue and evaluator, with simulated model providers. */
export const benchAsync: Bench = async (size) => [
  ...(await largeRuns(SIZE[size])),
  ...(await judgeBacklog(SIZE[size])),
];
