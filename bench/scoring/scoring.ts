import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { scoreSuite } from '../../shared/scoring/engine/score.ts';
import { prepareSuite } from '../../shared/scoring/engine/suite.ts';
import type { PreparedSuite } from '../../shared/scoring/kit/types.ts';
import { foldVerdict } from '../../shared/scoring/verdict/foldVerdict.ts';
import { type Bench, type Bound, median, type Row } from '../result.ts';
import { handWritten } from './handWritten.ts';
import { jsonOutputRows } from './jsonOutputs.ts';
import { casesOf, OUTPUT, scorerOf } from './scoringCases.ts';

const SIZE = {
  full: { few: 100, several: 1_000, many: 10_000, rounds: 9, roundMs: 50, warmCases: 200_000, processes: 7 },
  smallest: { few: 4, several: 6, many: 8, rounds: 3, roundMs: 0, warmCases: 0, processes: 1 },
} as const;
type Sizes = (typeof SIZE)[keyof typeof SIZE];

/**
 * Cases per second: the median of rounds of at least 50 ms each, in turn, once the engine of JavaScript has compiled
 * what it compiles: after 200,000 cases of each, and two rounds.
 */
function ratesOf(
  count: number,
  works: readonly ((output: string) => unknown)[],
  { rounds: roundCount, roundMs, warmCases }: Sizes,
): number[] {
  const rounds = works.map((): number[] => []);
  for (const work of works) {
    for (let scored = 0; scored < warmCases; scored += count) work(`${OUTPUT.slice(0, -1)}}`);
  }
  for (let round = 0; round < roundCount; round++) {
    for (const [at, work] of works.entries()) {
      const startMs = performance.now();
      let runs = 0;
      for (; performance.now() - startMs < roundMs || runs < 2; runs++) work(`${OUTPUT.slice(0, -1)}}`);
      if (round > 1) rounds[at]?.push((runs * count * 1000) / (performance.now() - startMs));
    }
  }
  return rounds.map(median);
}

type OutputsOf = Parameters<typeof scoreSuite>[1]['outputsOf'];

/** As a run does it: the results, then the verdict. */
function verdictOn(compiled: PreparedSuite, outputsOf: OutputsOf, now: () => number) {
  const results = scoreSuite(compiled, { outputsOf, now });
  const { cases, passThreshold } = compiled.suite;
  const gated = cases.map(({ id, weight }, index) => {
    const { passed = false, errored = true, fault } = results[index]?.[0] ?? {};
    const rules = { missing: false, mustPass: false, tags: [], advisory: false };
    return { id, key: id, weight, passed, errored, fault, ...rules };
  });
  return foldVerdict(gated, { passThreshold, gates: {} });
}

function sameFor(output: string): OutputsOf {
  const sent = [{ output }];
  return () => sent;
}

interface Rates {
  readonly engine: number;
  readonly loop: number;
}

/** The ratio says as much on a slow machine. */
const besideLoop = (of: string, { engine, loop }: Rates, bound: Bound, ratioBound?: Bound): Row[] => [
  { metric: `engine: ${of}`, value: Math.round(engine), unit: 'cases/s', bound },
  { metric: `hand-written loop: ${of}`, value: Math.round(loop), unit: 'cases/s' },
  {
    metric: `engine / loop: ${of}`,
    value: rounded(engine / loop),
    unit: 'ratio',
    ...(ratioBound && { bound: ratioBound }),
  },
];

async function throughput(count: number, distinct: boolean, sizes: Sizes): Promise<Rates> {
  const cases = casesOf(count, distinct);
  const compiled = await prepareSuite({ passThreshold: 0.5, cases });
  const now = () => performance.now();
  const byHand = handWritten(cases);
  const works = [
    (output: string) => verdictOn(compiled, sameFor(output), now),
    (output: string) => byHand(() => output),
  ];
  const [engine = 0, loop = 0] = ratesOf(count, works, sizes);
  return { engine, loop };
}

/** For suites of usual size. In larger ones a case may cost a quarter more. */
const SHARED_SCORERS: Bound = { atLeast: 1_000_000 };
const OWN_SCORERS: Bound = { atLeast: 500_000 };
const MANY_CASES: Bound = { atLeast: 250_000 };
const OWN_OUTPUTS: Bound = { atLeast: 100_000 };

async function throughputRows(sizes: Sizes): Promise<Row[]> {
  const { few, many } = sizes;
  const rows: Row[] = [];
  for (const distinct of [false, true]) {
    const scorers = distinct ? 'each its own scorer' : '4 shared scorers';
    const costs: number[] = [];
    for (const count of [few, many]) {
      const { engine, loop } = await throughput(count, distinct, sizes);
      const of = `${count} cases, ${scorers}`;
      const bound = count === many ? MANY_CASES : distinct ? OWN_SCORERS : SHARED_SCORERS;
      rows.push(...besideLoop(of, { engine, loop }, bound, { atLeast: 0.5 }));
      costs.push(1 / engine);
    }
    const growth = rounded((costs[1] ?? 0) / (costs[0] ?? 1));
    rows.push({
      metric: `cost per case, ${many} / ${few}: ${scorers}`,
      value: growth,
      unit: 'ratio',
      bound: { atMost: 1.25 },
    });
  }
  return rows;
}

/** Nothing is shared but scorers: each output is parsed and searched for its own case. */
async function ownOutputsRows(sizes: Sizes): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of [sizes.few, sizes.several, sizes.many]) {
    const cases = casesOf(count, false);
    const compiled = await prepareSuite({ passThreshold: 0.5, cases });
    const now = () => performance.now();
    const outputs = Array.from({ length: count }, (_, at) => OUTPUT.replace('A-10042', `A-${at}`));
    const sent = outputs.map((output) => [{ output }]);
    const byHand = handWritten(cases);
    const works = [
      () => verdictOn(compiled, (index) => sent[index] ?? [], now),
      () => byHand((index) => outputs[index] ?? ''),
    ];
    const [engine = 0, loop = 0] = ratesOf(count, works, sizes);
    rows.push(...besideLoop(`${count} cases, 4 shared scorers, own outputs`, { engine, loop }, OWN_OUTPUTS));
  }
  return rows;
}

const FRESH_PROCESS = `
import { readFileSync } from 'node:fs';
const { cases, output } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const startMs = performance.now();
const { prepareSuite, scoreSuite } = await import(process.argv[1]);
const importedMs = performance.now();
const suite = await prepareSuite({ passThreshold: 0.5, cases });
const sent = [{ output }];
scoreSuite(suite, { outputsOf: () => sent, now: () => performance.now() });
const scoredMs = performance.now();
console.log(JSON.stringify({ importMs: importedMs - startMs, totalMs: scoredMs - startMs }));
`;

/** Measures a cold function: importing the bundled engine and scoring 100 cases with 5 schemas. */
async function freshProcessRows({ processes }: Sizes): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-scoring-'));
  try {
    const bundle = join(folder, 'engine.mjs');
    const data = join(folder, 'data.json');
    const cases = casesOf(100, false).map((evalCase, at) =>
      evalCase.scorer?.type === 'json_schema'
        ? { ...evalCase, scorer: scorerOf('json_schema', at % 5) }
        : evalCase,
    );
    writeFileSync(data, JSON.stringify({ cases, output: OUTPUT }));
    await build({
      entryPoints: [join(import.meta.dirname, '../../shared/scoring/engine/engine.ts')],
      bundle: true,
      minify: true,
      platform: 'node',
      format: 'esm',
      splitting: true,
      mainFields: ['module', 'main'],
      outExtension: { '.js': '.mjs' },
      outdir: folder,
    });
    const samples = Array.from({ length: processes }, () => {
      const child = spawnSync(process.execPath, ['--input-type=module', '-e', FRESH_PROCESS, bundle, data], {
        encoding: 'utf8',
      });
      if (child.status !== 0) throw new Error(child.stderr);
      return JSON.parse(child.stdout) as { importMs: number; totalMs: number };
    }).sort((a, b) => a.totalMs - b.totalMs);
    const middle = samples[samples.length >> 1];
    return [
      { metric: 'fresh process: import', value: rounded(middle?.importMs ?? 0), unit: 'ms' },
      {
        metric: 'fresh process: import and first 100 cases, 5 schemas',
        value: rounded(middle?.totalMs ?? 0),
        unit: 'ms',
        bound: { atMost: 35 },
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function memoryRow({ many }: Sizes): Promise<Row> {
  const beforeBytes = process.memoryUsage().rss;
  const compiled = await prepareSuite({ passThreshold: 0.5, cases: casesOf(many, false) });
  verdictOn(compiled, sameFor(OUTPUT), () => performance.now());
  const megabytes = (process.memoryUsage().rss - beforeBytes) / 1024 / 1024;
  return {
    metric: `memory added by ${many} cases`,
    value: rounded(megabytes),
    unit: 'MB',
    bound: { atMost: 100 },
  };
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

export const benchScoring: Bench = async (size) => {
  const sizes = SIZE[size];
  const memory = await memoryRow(sizes);
  const rows = [...(await throughputRows(sizes)), ...(await ownOutputsRows(sizes))];
  return [...rows, ...(await jsonOutputRows(size)), memory, ...(await freshProcessRows(sizes))];
};
