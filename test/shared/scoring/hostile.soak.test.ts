import { expect, test } from '@jest/globals';
import { processorMs } from '../../../shared/scoring/kit/guard.ts';
import { caseOf, scoreAll } from './cases.ts';
import { ENDLESS, innocents, timeout } from './hostile.ts';

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const codesOf = ({ results }: ReturnType<typeof scoreAll>) =>
  results.map(({ scorer_output }) => scorer_output.error ?? 'scored');

test('endless patterns beyond the time of a run end with RUN_TIMEOUT and take no time from other scorers', () => {
  const hostile = many(2_000, (at) => caseOf('regex', { pattern: `(a+)+${at}$` }));
  const { results } = scoreAll([...innocents(), ...hostile], ENDLESS);
  expect(results.slice(0, 5).some((result) => result.errored)).toBe(false);
  const blamed = results.slice(5).filter(({ scorer_output }) => scorer_output.error === 'REGEX_TIMEOUT');
  const others = results.slice(5).filter((result) => !blamed.includes(result));
  expect(others.length).toBeGreaterThan(0);
  for (const result of others) {
    expect(result).toMatchObject(timeout('RUN_TIMEOUT'));
    expect(result.reason).toContain('too many patterns');
  }
});

test('a thousand honest patterns on 1 MB are not blamed one by one where a machine is too slow for all', () => {
  const honest = many(1_000, (at) => caseOf('regex', { pattern: `(?:dolor|amet) (?:never|${at})$` }));
  const codes = codesOf(scoreAll(honest, 'lorem ipsum dolor sit amet '.repeat(37_000)));
  expect(codes.filter((code) => code !== 'scored' && code !== 'RUN_TIMEOUT')).toEqual([]);
  expect(codes.filter((code) => code === 'scored').length).toBeGreaterThan(50);
});

test('texts too long to compare in the time of a run are errors, never passes, and cost others nothing', () => {
  const output = 'ab '.repeat(6_600);
  const similar = many(300, (at) =>
    caseOf(
      'similarity',
      { metric: 'levenshtein' },
      { expected: `${at} ba `.repeat(3_000).slice(0, 19_000), threshold: 0 },
    ),
  );
  const { results } = scoreAll([...similar, ...innocents()], output);
  for (const { errored, passed, scorer_output } of results.slice(0, 300)) {
    if (errored) expect(['RUN_TIMEOUT', 'SIMILARITY_TOO_LONG']).toContain(scorer_output.error);
    expect(passed).toBe(!errored);
  }
  expect(results.filter(({ errored }) => errored).length).toBeGreaterThan(0);
  expect(results.slice(300).some(({ errored }) => errored)).toBe(false);
});

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
