import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { benchApart } from '../bench/apart.ts';
import { BENCH_NAMES } from '../bench/registry.ts';
import { type Failure, printTable, verdict } from '../bench/report.ts';
import { type BenchResult, holds } from '../bench/result.ts';
import { ROOT } from './run.ts';

/**
 * `npm run bench` prints a table for each bench, writes all of them as JSON and lists the figures outside their bounds.
 * `npm run bench runs` runs one. The exit code is 1 when a bench fails, and with `--check` when a figure is outside.
 */
const USAGE = `usage: npm run bench -- [${BENCH_NAMES.join('|')}]... [--check] [--smallest] [--output=<file>]`;

function readArguments() {
  const options = {
    /** Ends with 1 when a figure is outside its bound. */
    check: { type: 'boolean', default: false },
    /** Each step once: shows that every bench works, and measures nothing. */
    smallest: { type: 'boolean', default: false },
    output: { type: 'string', default: path.join(ROOT, 'bench-results', 'bench.json') },
  } as const;
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const unknown = positionals.find((name) => !BENCH_NAMES.includes(name));
    if (unknown !== undefined) throw new Error(`There is no bench "${unknown}".`);
    if (values.check && values.smallest) throw new Error('The smallest size measures nothing to check.');
    return { ...values, names: positionals.length > 0 ? positionals : BENCH_NAMES };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${USAGE}\n`);
    return process.exit(2);
  }
}

const { names, check, smallest, output } = readArguments();
const size = smallest ? 'smallest' : 'full';
const results: BenchResult[] = [];
const failures: Failure[] = [];
for (const name of names) {
  try {
    const result = { name, rows: await benchApart(name, size) };
    results.push(result);
    printTable(result, size);
  } catch (error) {
    failures.push({ name, error: error instanceof Error ? error.message : String(error) });
  }
}

const machine = { node: process.version, platform: `${process.platform}-${process.arch}` };
mkdirSync(path.dirname(output), { recursive: true });
writeFileSync(output, `${JSON.stringify({ ...machine, size, results, failures }, null, 2)}\n`);
process.stdout.write(`\nWritten to ${path.relative(process.cwd(), output)}\n\n`);

for (const line of verdict(size, results, failures)) process.stdout.write(`${line}\n`);
const isOutside = results.some(({ rows }) => rows.some((row) => !holds(row)));
if (failures.length > 0 || (check && isOutside)) process.exitCode = 1;
