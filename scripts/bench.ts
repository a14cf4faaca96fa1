import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { benchAsync } from '../bench/async.ts';
import { benchBundles } from '../bench/bundles.ts';
import { benchCost } from '../bench/cost.ts';
import { benchCredentials } from '../bench/credentials.ts';
import type { BenchResult } from '../bench/result.ts';
import { benchRuns } from '../bench/runs.ts';
import { benchScoring } from '../bench/scoring.ts';
import { ROOT } from './run.ts';

/** `npm run bench`: prints a table a bench and writes all of them as JSON. `npm run bench runs` runs one. */
const benches: Record<string, () => Promise<BenchResult>> = {
  scoring: benchScoring,
  runs: benchRuns,
  async: benchAsync,
  credentials: benchCredentials,
  cost: benchCost,
  bundles: benchBundles,
};

const wanted = process.argv.slice(2);
const results: BenchResult[] = [];
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const result = await bench();
  results.push(result);
  process.stdout.write(`\n${result.name}\n`);
  console.table(
    result.rows.map(({ metric, value, unit, bound }) => ({
      metric,
      value: Number(value.toPrecision(4)),
      unit,
      bound: bound ?? '',
    })),
  );
}

const folder = path.join(ROOT, 'bench-results');
mkdirSync(folder, { recursive: true });
const file = path.join(folder, 'bench.json');
const machine = { node: process.version, platform: `${process.platform}-${process.arch}` };
writeFileSync(file, `${JSON.stringify({ ...machine, results }, null, 2)}\n`);
process.stdout.write(`\nWritten to ${path.relative(ROOT, file)}\n`);
