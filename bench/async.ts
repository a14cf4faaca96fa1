import { readFileSync } from 'node:fs';
import { makeJudgedGate } from '../test/functions/judged/gate.ts';
import { makeGate } from '../test/functions/runs/gate.ts';
import { type Answer, verdict } from '../test/support/providers.ts';
import { ended, newClient, type Stage, startStage, submit } from '../test/support/stage.ts';
import { unitsPerCase } from './evaluationUnits.ts';
import type { BenchResult, Row } from './result.ts';
import { fillGate, OUTPUT } from './suite.ts';

const SMALL = 1_000;
const LARGE = 10_000;
const RUNS = 3;
const MEGABYTE = 1_024;

/** Kilobytes, as Linux says of the service's process. */
function memory({ service }: Stage, field: 'VmHWM' | 'VmRSS'): number {
  const status = readFileSync(`/proc/${service.process.pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]);
}

/** What the garbage collector gets by with, for the need of memory rather than what is taken while there is plenty. */
const SMALL_HEAP = { NODE_OPTIONS: '--max-old-space-size=96 --max-semi-space-size=4' };

interface Measured {
  readonly seconds: number;
  readonly peakMb: number;
  readonly grownMb: number;
}

/** Three async runs of so many deterministic cases, on a service of their own: a peak never goes down. */
async function measure(cases: number, env: Readonly<Record<string, string>> = {}): Promise<Measured> {
  const stage = await startStage(env);
  try {
    const { client } = await newClient(stage);
    const gate = await makeGate(stage.service.baseUrl, { pass_threshold: 0.5 }, client);
    const output = await fillGate(gate, stage.table, cases);
    const idle = memory(stage, 'VmRSS');
    const started = performance.now();
    for (let nth = 0; nth < RUNS; nth++) {
      const run = await ended(client, await submit(client, { suite: gate.suite.slug, output }));
      if (run.status !== 'cleared' || run.total_cases !== cases) throw new Error(JSON.stringify(run));
    }
    const seconds = (performance.now() - started) / 1_000 / RUNS;
    const peak = memory(stage, 'VmHWM');
    return { seconds, peakMb: peak / MEGABYTE, grownMb: (peak - idle) / MEGABYTE };
  } finally {
    await stage.stop();
  }
}

async function largeRuns(): Promise<Row[]> {
  const [small, large] = [await measure(SMALL), await measure(LARGE)];
  const [smallUnits, largeUnits] = [await unitsPerCase(SMALL), await unitsPerCase(LARGE)];
  const [smallNeed, largeNeed] = [await measure(SMALL, SMALL_HEAP), await measure(LARGE, SMALL_HEAP)];
  const rows = (cases: number, { seconds, peakMb, grownMb }: Measured, units: number): Row[] => {
    const metric = `async run, ${cases} deterministic cases`;
    return [
      { metric, value: seconds, unit: 's to its verdict' },
      { metric, value: peakMb, unit: 'MB peak of the service' },
      { metric, value: grownMb, unit: 'MB above idle' },
      { metric, value: units, unit: 'request units a case' },
    ];
  };
  const metric = `async run, ${LARGE} cases against ${SMALL}`;
  const need = largeNeed.peakMb / smallNeed.peakMb;
  return [
    ...rows(SMALL, small, smallUnits),
    ...rows(LARGE, large, largeUnits),
    { metric, value: large.peakMb / small.peakMb, unit: 'x peak memory', bound: '<= 2' },
    { metric: `${metric}, heap of 96 MB`, value: need, unit: 'x peak memory', bound: '<= 2' },
    { metric, value: largeUnits / smallUnits, unit: 'x units a case', bound: '<= 1' },
  ];
}

const SLOTS = 20;
const JUDGED_RUNS = 3;
const JUDGED_CASES = 60;
const ANSWER_MS = 500;

/** Keeps track of calls under way: their most and, weighed by time, their mean. */
function traffic() {
  const calls: { from: number; to: number }[] = [];
  let now = 0;
  let max = 0;
  const answer: Answer = async (call, response) => {
    const record = { from: performance.now(), to: 0 };
    calls.push(record);
    max = Math.max(max, ++now);
    await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
    await verdict()(call, response);
    now--;
    record.to = performance.now();
  };
  /** Up to the last call that began: what ends after it has no backlog behind it. */
  const mean = () => {
    const [from, to] = [calls[0]?.from ?? 0, calls.at(-1)?.from ?? 0];
    const busy = calls.reduce((sum, call) => sum + Math.max(0, Math.min(call.to, to) - call.from), 0);
    return busy / (to - from);
  };
  return { answer, mean, max: () => max };
}

async function judgeBacklog(): Promise<Row[]> {
  const stage = await startStage({ LOG_LEVEL: 'warn' });
  try {
    const gate = await makeJudgedGate(stage, { count: JUDGED_CASES });
    const body = { suite: gate.suite.slug, output: OUTPUT };
    await gate.run(OUTPUT);
    const { answer, mean, max } = traffic();
    stage.providers.always('openai', answer);
    const started = performance.now();
    const ids = await Promise.all(Array.from({ length: JUDGED_RUNS }, () => submit(gate.client, body)));
    for (const id of ids) {
      const run = await ended(gate.client, id);
      if (run.passed_cases !== JUDGED_CASES) throw new Error(JSON.stringify(run));
    }
    const seconds = (performance.now() - started) / 1_000;
    const ideal = (JUDGED_RUNS * JUDGED_CASES * ANSWER_MS) / SLOTS / 1_000;
    const metric = `${JUDGED_RUNS} runs of ${JUDGED_CASES} judged cases at once`;
    return [
      { metric, value: mean(), unit: `of ${SLOTS} calls in flight, mean`, bound: '>= 15' },
      { metric, value: max(), unit: `of ${SLOTS} calls in flight, most`, bound: '<= 20' },
      { metric, value: seconds / ideal, unit: 'x the least time possible' },
    ];
  } finally {
    await stage.stop();
  }
}

/** Runs through the queue and the evaluator, with stand-ins for the model providers. */
export async function benchAsync(): Promise<BenchResult> {
  return { name: 'async', rows: [...(await largeRuns()), ...(await judgeBacklog())] };
}
