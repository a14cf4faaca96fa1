import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { scoreSuite } from '../shared/scoring/score.ts';
import { compileSuite } from '../shared/scoring/suite.ts';
import { handWritten } from './handWritten.ts';
import type { BenchResult, Row } from './result.ts';
import { casesOf, OUTPUT, scorerOf } from './scoringCases.ts';

/** Cases per second: the median of rounds of at least 50 ms each, after a warm-up. */
function ratesOf(count: number, works: readonly ((output: string) => unknown)[]): number[] {
  const rounds = works.map((): number[] => []);
  for (let round = 0; round < 9; round++) {
    for (const [at, work] of works.entries()) {
      const startMs = performance.now();
      let runs = 0;
      for (; performance.now() - startMs < 50 || runs < 2; runs++) work(`${OUTPUT.slice(0, -1)}}`);
      if (round > 1) rounds[at]?.push((runs * count * 1000) / (performance.now() - startMs));
    }
  }
  return rounds.map((rates) => rates.sort((a, b) => a - b)[rates.length >> 1] ?? 0);
}

async function throughput(count: number, distinct: boolean): Promise<{ engine: number; loop: number }> {
  const cases = casesOf(count, distinct);
  const compiled = await compileSuite({ passThreshold: 0.5, cases });
  const now = () => performance.now();
  const [engine = 0, loop = 0] = ratesOf(count, [
    (output) => scoreSuite(compiled, { output, input: {}, now }),
    handWritten(cases),
  ]);
  return { engine, loop };
}

async function throughputRows(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const distinct of [false, true]) {
    const scorers = distinct ? 'each its own scorer' : '4 shared scorers';
    const costs: number[] = [];
    for (const count of [100, 10_000]) {
      const { engine, loop } = await throughput(count, distinct);
      const of = `${count} cases, ${scorers}`;
      rows.push({ metric: `engine: ${of}`, value: Math.round(engine), unit: 'cases/s', bound: '>= 250000' });
      rows.push({ metric: `hand-written loop: ${of}`, value: Math.round(loop), unit: 'cases/s' });
      rows.push({
        metric: `engine / loop: ${of}`,
        value: rounded(engine / loop),
        unit: 'ratio',
        bound: '>= 0.5',
      });
      costs.push(1 / engine);
    }
    const growth = rounded((costs[1] ?? 0) / (costs[0] ?? 1));
    rows.push({
      metric: `cost per case, 10000 / 100: ${scorers}`,
      value: growth,
      unit: 'ratio',
      bound: '<= 1.25',
    });
  }
  return rows;
}

const FRESH_PROCESS = `
import { readFileSync } from 'node:fs';
const { cases, output } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const startMs = performance.now();
const { compileSuite, scoreSuite } = await import(process.argv[1]);
const importedMs = performance.now();
const suite = await compileSuite({ passThreshold: 0.5, cases });
scoreSuite(suite, { output, input: {}, now: () => performance.now() });
const scoredMs = performance.now();
console.log(JSON.stringify({ importMs: importedMs - startMs, totalMs: scoredMs - startMs }));
`;

/** What a cold function pays: importing the bundled engine and scoring 100 cases with 5 schemas. */
async function freshProcessRows(): Promise<Row[]> {
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
      entryPoints: [join(import.meta.dirname, '../shared/scoring/engine.ts')],
      bundle: true,
      minify: true,
      platform: 'node',
      format: 'esm',
      splitting: true,
      mainFields: ['module', 'main'],
      outExtension: { '.js': '.mjs' },
      outdir: folder,
    });
    const samples = Array.from({ length: 7 }, () => {
      const child = spawnSync(process.execPath, ['--input-type=module', '-e', FRESH_PROCESS, bundle, data], {
        encoding: 'utf8',
      });
      if (child.status !== 0) throw new Error(child.stderr);
      return JSON.parse(child.stdout) as { importMs: number; totalMs: number };
    }).sort((a, b) => a.totalMs - b.totalMs);
    const median = samples[samples.length >> 1];
    return [
      { metric: 'fresh process: import', value: rounded(median?.importMs ?? 0), unit: 'ms' },
      {
        metric: 'fresh process: import and first 100 cases, 5 schemas',
        value: rounded(median?.totalMs ?? 0),
        unit: 'ms',
        bound: '<= 60',
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function memoryRow(): Promise<Row> {
  const beforeBytes = process.memoryUsage().rss;
  const compiled = await compileSuite({ passThreshold: 0.5, cases: casesOf(10_000, false) });
  scoreSuite(compiled, { output: OUTPUT, input: {}, now: () => performance.now() });
  const megabytes = (process.memoryUsage().rss - beforeBytes) / 1024 / 1024;
  return { metric: 'memory added by 10000 cases', value: rounded(megabytes), unit: 'MB', bound: '< 100' };
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

export async function benchScoring(): Promise<BenchResult> {
  const memory = await memoryRow();
  return { name: 'scoring', rows: [...(await throughputRows()), memory, ...(await freshProcessRows())] };
}

if (import.meta.main) console.table((await benchScoring()).rows);
