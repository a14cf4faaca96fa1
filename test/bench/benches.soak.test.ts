import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { benchApart } from '../../bench/apart.ts';
import { BENCH_NAMES } from '../../bench/registry.ts';
import { type Failure, verdict } from '../../bench/report.ts';
import type { Row } from '../../bench/result.ts';
import { NODE, REPOSITORY_DIR } from '../support/processes.ts';

// In this order, as `npm run bench` does: none finds what another one left behind.
test.each(BENCH_NAMES)('the bench %s gives its figures and leaves the process as it was', async (name) => {
  const before = { ...process.env };
  const rows = await benchApart(name, 'smallest');
  expect({ ...process.env }).toEqual(before);
  expect(rows).not.toEqual([]);
  const isFigure = ({ metric, value }: Row) => metric !== '' && Number.isFinite(value);
  expect(rows.filter((row) => !isFigure(row))).toEqual([]);
});

describe('npm run bench', () => {
  const bench = (...args: readonly string[]) => {
    const script = path.join(REPOSITORY_DIR, 'scripts/bench.ts');
    return spawnSync(NODE, ['--disable-warning=ExperimentalWarning', script, ...args], { encoding: 'utf8' });
  };

  test('prints a table and writes the same figures', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'bench-test-'));
    try {
      const output = path.join(folder, 'some', 'bench.json');
      const { status, stdout } = bench('scoring', '--smallest', `--output=${output}`);
      expect(status).toBe(0);
      expect(stdout).toContain('The smallest size measures nothing');
      const { results, failures } = JSON.parse(readFileSync(output, 'utf8'));
      expect(failures).toEqual([]);
      for (const { metric } of results[0].rows) expect(stdout).toContain(metric);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the last lines', () => {
  const row = (metric: string, value: number, bound?: Row['bound']): Row => ({
    metric,
    value,
    unit: 'ms',
    ...(bound && { bound }),
  });
  const linesOf = (rows: readonly Row[], failures: readonly Failure[] = []) =>
    verdict('full', [{ name: 'runs', rows }], failures);

  test('name each figure outside its bound', () => {
    const rows = [
      row('low', 0.5, { atLeast: 0.75 }),
      row('fine', 1, { atMost: 1 }),
      row('high', 3.5, { atMost: 3 }),
      row('unmeasured', Number.NaN, { atMost: 3 }),
      row('free', 9),
    ];
    expect(linesOf(rows)).toEqual([
      '3 of 4 figures are outside their bounds:',
      '  runs: low: 0.5 ms, bound >= 0.75',
      '  runs: high: 3.5 ms, bound <= 3',
      '  runs: unmeasured: NaN ms, bound <= 3',
    ]);
  });
});
