import { expect, test } from '@jest/globals';
import { processorMs } from '../../../../shared/scoring/execution/guard.ts';
import { caseOf, scoreAll } from '../cases.ts';

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const codesOf = ({ results }: ReturnType<typeof scoreAll>) =>
  results.map(({ scorer_output }) => scorer_output.error ?? 'scored');

test('a hundred schemas of 200 properties are scored, or too many, but none is at fault', () => {
  const schemaOf = (index: number) => {
    const names = many(200, (property) => [
      `p${index}_${property}`,
      { type: 'string', maxLength: property + 1 },
    ]);
    return { type: 'object', properties: Object.fromEntries(names) };
  };
  const cases = many(100, (index) => caseOf('json_schema', { schema: schemaOf(index) }));
  const codes = new Set(codesOf(scoreAll(cases, '{"a":1}')));
  expect([...codes].filter((code) => code !== 'scored' && code !== 'RUN_TIMEOUT')).toEqual([]);
});

test('hundreds of patterns that never end are errors within the time of a run, and fifty honest ones behind them are tried', () => {
  const hostile = many(900, (index) => caseOf('regex', { pattern: `(a+)+${index}$` }));
  const honest = many(50, (index) => caseOf('regex', { pattern: `a|${index}` }));
  const startMs = processorMs();
  const codes = codesOf(scoreAll([...hostile, ...honest], `${'a'.repeat(40)}!`));
  expect(processorMs() - startMs).toBeLessThan(8_000);
  expect(codes.slice(0, 900)).not.toContain('scored');
  expect(new Set(codes.slice(900))).toEqual(new Set(['scored']));
});

test('the clock of the processor reads times apart that are far below the shortest limit', () => {
  const startMs = processorMs();
  let last = startMs;
  let steps = 0;
  while (last - startMs < 50) {
    const nowMs = processorMs();
    if (nowMs > last) steps++;
    last = nowMs;
  }
  expect((last - startMs) / steps).toBeLessThan(0.1);
});
