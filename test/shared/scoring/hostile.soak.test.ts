import { expect, test } from '@jest/globals';
import { caseOf, scoreAll } from './cases.ts';

const timeout = (code: string) => ({
  passed: false,
  score: 0,
  errored: true,
  scorer_output: { error: code },
});
const innocents = () => [
  caseOf('regex', { pattern: '(a+)' }),
  caseOf('contains', { values: ['aaa'] }),
  caseOf('json_schema', { schema: { type: 'string' } }),
  caseOf('exact_match', {}, { expected: 'nope' }),
  caseOf('regex', { pattern: '^b' }),
];

test('endless patterns beyond the time of a run end with RUN_TIMEOUT and take no time from other scorers', () => {
  const hostile = Array.from({ length: 2_000 }, (_, at) => caseOf('regex', { pattern: `(a+)+${at}$` }));
  const { results } = scoreAll([...innocents(), ...hostile], JSON.stringify('a'.repeat(40) + '!'));
  expect(results.slice(0, 5).map((result) => result.errored)).toEqual([false, false, false, false, false]);
  const blamed = results.slice(5).filter(({ scorer_output }) => scorer_output.error === 'REGEX_TIMEOUT');
  expect(blamed.length).toBeGreaterThan(0);
  const others = results.slice(5).filter((result) => !blamed.includes(result));
  expect(others.length).toBeGreaterThan(0);
  for (const result of others) {
    expect(result).toMatchObject(timeout('RUN_TIMEOUT'));
    expect(result.reason).toContain('too many patterns');
  }
});

test('texts too long to compare in the time of a run are errors, never passes, and cost others nothing', () => {
  const output = 'ab '.repeat(6_600);
  const many = Array.from({ length: 300 }, (_, at) =>
    caseOf(
      'similarity',
      { metric: 'levenshtein' },
      { expected: `${at} ba `.repeat(3_000).slice(0, 19_000), threshold: 0 },
    ),
  );
  const { results } = scoreAll([...many, ...innocents()], output);
  for (const { errored, passed, scorer_output } of results.slice(0, 300)) {
    if (errored) expect(['RUN_TIMEOUT', 'SIMILARITY_TOO_LONG']).toContain(scorer_output.error);
    expect(passed).toBe(!errored);
  }
  expect(results.filter(({ errored }) => errored).length).toBeGreaterThan(0);
  expect(results.slice(300).some(({ errored }) => errored)).toBe(false);
});
