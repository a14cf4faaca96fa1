import { type BenchResult, boundText, holds, type Row, type Size } from './result.ts';

export interface Failure {
  readonly name: string;
  readonly error: string;
}

const figure = ({ value }: Row): number => Number(value.toPrecision(4));

export function printTable({ name, rows }: BenchResult, size: Size): void {
  process.stdout.write(`\n${name}\n`);
  console.table(
    rows.map((row) => ({
      metric: row.metric,
      value: figure(row),
      unit: row.unit,
      bound: row.bound === undefined ? '' : boundText(row.bound),
      ...(size === 'full' && { outside: holds(row) ? '' : 'OUTSIDE' }),
    })),
  );
}

function boundLines(results: readonly BenchResult[]): string[] {
  const bound = results.flatMap(({ name, rows }) =>
    rows.flatMap((row) => (row.bound === undefined ? [] : { name, row, text: boundText(row.bound) })),
  );
  const outside = bound.filter(({ row }) => !holds(row));
  if (outside.length === 0) return [`No figure is outside its bound: ${bound.length} have one.`];
  return [
    `${outside.length} of ${bound.length} figures are outside their bounds:`,
    ...outside.map(
      ({ name, row, text }) => `  ${name}: ${row.metric}: ${figure(row)} ${row.unit}, bound ${text}`,
    ),
  ];
}

/** The last lines: failed benches and figures outside their bounds, or that there are none. */
export function verdict(size: Size, results: readonly BenchResult[], failures: readonly Failure[]): string[] {
  const failed = failures.map(({ name, error }) => `The bench ${name} failed: ${error}`);
  const measured =
    size === 'full' ? boundLines(results) : ['The smallest size measures nothing: no bound was looked at.'];
  return [...failed, ...measured];
}
