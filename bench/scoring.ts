import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { scoreSuite } from '../shared/scoring/engine/score.ts';
import { prepareSuite } from '../shared/scoring/engine/suite.ts';
import type { PreparedSuite, SuiteCase, SuiteScorer } from '../shared/scoring/kit/types.ts';
import { foldVerdict } from '../shared/scoring/verdict/foldVerdict.ts';
import { type Bench, type Bound, median, type Row } from './result.ts';

const SIZE = {
  full: { few: 100, many: 10_000, rounds: 9, roundMs: 50, warmCases: 200_000, processes: 7 },
  smallest: { few: 4, many: 8, rounds: 3, roundMs: 0, warmCases: 0, processes: 1 },
} as const;
type Sizes = (typeof SIZE)[keyof typeof SIZE];

/** A model's JSON answer of about 2 kB. */
const OUTPUT = JSON.stringify({
  order: 'A-10042',
  status: 'refund approved',
  items: Array.from({ length: 20 }, (_, index) => ({
    sku: `SKU-${1000 + index}`,
    price: 19.99 + index,
    note: 'lorem ipsum dolor sit amet, consectetur elit sed',
  })),
});

const schemaOf = (number: number) => ({
  type: 'object',
  required: ['order', 'status', 'items'],
  properties: {
    order: { type: 'string', pattern: '^[A-Z]-\\d+$' },
    status: { type: 'string', maxLength: 100 + number },
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['sku', 'price'],
        properties: { sku: { type: 'string' }, price: { type: 'number', minimum: 0 } },
      },
    },
  },
});

const CONFIGS: readonly (readonly [SuiteScorer['type'], (number: number) => object])[] = [
  ['exact_match', () => ({ case_sensitive: true })],
  ['contains', (number) => ({ values: ['SKU-1019', `SKU-10${number % 20}`], mode: 'any' })],
  ['regex', (number) => ({ pattern: `"status":"refund (approved|denied)"|never-${number}` })],
  ['json_schema', (number) => ({ schema: schemaOf(number) })],
];

/** Equal parts of four types. The numbers of a type's scorers begin again after `scorersEach`. */
function casesOf(count: number, scorersEach: number): SuiteCase[] {
  const scorers = new Map<string, SuiteScorer>();
  return Array.from({ length: count }, (_, index) => {
    const [type, configOf] = CONFIGS[index % CONFIGS.length] ?? ['exact_match', () => ({})];
    const number = Math.floor(index / CONFIGS.length) % scorersEach;
    const id = `${type}-${number}`;
    const scorer = scorers.get(id) ?? {
      id,
      type,
      config: configOf(number),
      dual_sided: false,
      precision_threshold: null,
      recall_threshold: null,
    };
    scorers.set(id, scorer);
    return {
      id: `case-${index}`,
      name: `case ${index}`,
      // A copy: the comparison of a string with itself costs nothing.
      expected: index % 8 === 0 ? `${OUTPUT.slice(0, -1)}}` : `${OUTPUT.slice(0, -2)}!}`,
      threshold: 0.5,
      weight: 1,
      scorer,
    };
  });
}

type OutputsOf = Parameters<typeof scoreSuite>[1]['outputsOf'];

/** As a run does it: the results, then the verdict. */
function verdictOn(compiled: PreparedSuite, outputsOf: OutputsOf) {
  const results = scoreSuite(compiled, { outputsOf, now: () => performance.now() });
  const { cases, passThreshold } = compiled.suite;
  const gated = cases.map(({ id, weight }, index) => {
    const { passed = false, errored = true, fault } = results[index]?.[0] ?? {};
    return {
      id,
      key: id,
      weight,
      passed,
      errored,
      fault,
      missing: false,
      mustPass: false,
      tags: [],
      advisory: false,
    };
  });
  return foldVerdict(gated, { passThreshold, gates: {} });
}

/** Cases per second: the median of rounds of at least 50 ms each, once Node has compiled what it compiles. */
function rateOf(count: number, work: () => unknown, sizes: Sizes): number {
  const rates: number[] = [];
  for (let scored = 0; scored < sizes.warmCases; scored += count) work();
  for (let round = 0; round < sizes.rounds; round++) {
    const startMs = performance.now();
    let runs = 0;
    for (; performance.now() - startMs < sizes.roundMs || runs < 2; runs++) work();
    if (round > 1) rates.push((runs * count * 1000) / (performance.now() - startMs));
  }
  return median(rates);
}

/** For suites of usual size. In larger ones a case may cost a quarter more. */
const SHARED_SCORERS: Bound = { atLeast: 1_000_000 };
const OWN_SCORERS: Bound = { atLeast: 500_000 };
const MANY_CASES: Bound = { atLeast: 250_000 };
const OWN_OUTPUTS: Bound = { atLeast: 100_000 };

async function throughputRows(sizes: Sizes): Promise<Row[]> {
  const { few, many } = sizes;
  const rows: Row[] = [];
  const row = (what: string, rate: number, bound: Bound): Row => ({
    metric: what,
    value: Math.round(rate),
    unit: 'cases/s',
    bound,
  });
  for (const [scorers, scorersEach, fewBound] of [
    ['4 shared scorers', 1, SHARED_SCORERS],
    ['each its own scorer', many, OWN_SCORERS],
  ] as const) {
    for (const count of [few, many]) {
      const suite = await prepareSuite({ passThreshold: 0.5, cases: casesOf(count, scorersEach) });
      const work = () => {
        const sent = [{ output: `${OUTPUT.slice(0, -1)}}` }];
        return verdictOn(suite, () => sent);
      };
      const bound = count === many ? MANY_CASES : fewBound;
      rows.push(row(`${count} cases, ${scorers}`, rateOf(count, work, sizes), bound));
    }
  }
  // Nothing is shared but scorers: each output is parsed and searched for its own case.
  const suite = await prepareSuite({ passThreshold: 0.5, cases: casesOf(many, 1) });
  const sent = Array.from({ length: many }, (_, index) => [
    { output: OUTPUT.replace('A-10042', `A-${index}`) },
  ]);
  const rate = rateOf(many, () => verdictOn(suite, (index) => sent[index] ?? []), sizes);
  return [...rows, row(`${many} cases, 4 shared scorers, own outputs`, rate, OWN_OUTPUTS)];
}

const FRESH_PROCESS = `
import { readFileSync } from 'node:fs';
const { cases, output } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const startMs = performance.now();
const { prepareSuite, scoreSuite } = await import(process.argv[1]);
const suite = await prepareSuite({ passThreshold: 0.5, cases });
const sent = [{ output }];
scoreSuite(suite, { outputsOf: () => sent, now: () => performance.now() });
console.log(performance.now() - startMs);
`;

/** Measures a cold function: importing the bundled engine and scoring 100 cases with 5 schemas. */
async function freshProcessRow({ processes }: Sizes): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-scoring-'));
  try {
    const bundle = join(folder, 'engine.mjs');
    const data = join(folder, 'data.json');
    writeFileSync(data, JSON.stringify({ cases: casesOf(100, 5), output: OUTPUT }));
    await build({
      entryPoints: [join(import.meta.dirname, '../shared/scoring/engine/engine.ts')],
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
      return Number(child.stdout);
    });
    return {
      metric: 'fresh process: import and first 100 cases, 5 schemas',
      value: median(samples),
      unit: 'ms',
      bound: { atMost: 35 },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function memoryRow({ many }: Sizes): Promise<Row> {
  const beforeBytes = process.memoryUsage().rss;
  const compiled = await prepareSuite({ passThreshold: 0.5, cases: casesOf(many, 1) });
  verdictOn(compiled, () => [{ output: OUTPUT }]);
  return {
    metric: `memory added by ${many} cases`,
    value: (process.memoryUsage().rss - beforeBytes) / 1024 / 1024,
    unit: 'MB',
    bound: { atMost: 100 },
  };
}

/** Measures the engine: cases per second, memory, and a cold process. */
export const benchScoring: Bench = async (size) => {
  const sizes = SIZE[size];
  const memory = await memoryRow(sizes);
  return [...(await throughputRows(sizes)), memory, await freshProcessRow(sizes)];
};
