import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { failedByError } from '../../../../shared/scoring/kit/errors.ts';
import { judgeError } from '../../../../shared/scoring/kit/judgeErrors.ts';
import type { SuiteCase } from '../../../../shared/scoring/kit/types.ts';
import { caseOf, judgement, now, preparedSuite, scoreAll, scoreOne, scoreText } from '../cases.ts';

const anyCase: fc.Arbitrary<SuiteCase> = fc
  .tuple(
    fc.constantFrom<[string, unknown]>(
      ['exact_match', {}],
      ['exact_match', { case_sensitive: false }],
      ['contains', { values: ['a', 'b'], mode: 'any' }],
      ['contains', { values: ['a'], mode: 'none' }],
      ['regex', { pattern: '(a)|b', flags: 'g' }],
      ['regex', { pattern: '(' }],
      ['json_schema', { schema: { type: 'object' } }],
      ['llm_judge', {}],
    ),
    fc.constantFrom<unknown>(null, 'a', { a: 1 }, ['a', 'b']),
    fc.boolean(),
    fc.constantFrom(0, 0.5, 1),
  )
  .map(([[type, config], expected, dual_sided, threshold]) =>
    caseOf(type, config, { expected, dual_sided, threshold }),
  );
const outputs = fc.oneof(fc.string(), fc.json(), fc.constantFrom('a', 'ab', '{"a":1}', '["a","b"]', ''));

describe('scoring a suite', () => {
  test('is deterministic, and the same for a suite that was kept', () => {
    fc.assert(
      fc.property(fc.array(anyCase, { minLength: 1, maxLength: 12 }), outputs, (cases, output) => {
        const compiled = preparedSuite(cases, 0.5);
        const score = () => {
          const { results, verdict } = scoreText(compiled, { output, now });
          return { results: results.map(judgement), verdict };
        };
        const first = score();
        expect(score()).toEqual(first);
        const fresh = scoreAll(cases, output, 0.5);
        expect({ results: fresh.results.map(judgement), verdict: fresh.verdict }).toEqual(first);
      }),
    );
  });

  test('gives each case the result it would have alone, in the order of the cases', () => {
    fc.assert(
      fc.property(fc.array(anyCase, { minLength: 1, maxLength: 12 }), outputs, (cases, output) => {
        const alone = cases.map((evalCase) => judgement(scoreOne(evalCase, output)));
        expect(scoreAll(cases, output).results.map(judgement)).toEqual(alone);
        expect(scoreAll(cases.toReversed(), output).results.map(judgement)).toEqual(alone.toReversed());
      }),
    );
  });

  test('never answers anything but scores from 0 to 1, short reasons and whole milliseconds', () => {
    fc.assert(
      fc.property(anyCase, outputs, (evalCase, output) => {
        const result = scoreOne(evalCase, output);
        expect(result.score).toBeGreaterThanOrEqual(0);
        expect(result.score).toBeLessThanOrEqual(1);
        expect(result.reason.length).toBeLessThanOrEqual(500);
        expect(result.reason).not.toBe('');
        expect(Number.isInteger(result.duration_ms)).toBe(true);
        if (result.errored) expect(result).toMatchObject({ passed: false, score: 0 });
      }),
    );
  });

  test('cases that share a scorer keep their own thresholds and expectations', () => {
    const base = caseOf('exact_match', {}, { expected: 'a' });
    const cases = [
      base,
      { ...base, id: '2', expected: 'b' },
      { ...base, id: '3', expected: 'b', threshold: 0 },
    ];
    expect(scoreAll(cases, 'a').results.map((result) => [result.case_id, result.passed])).toEqual([
      [base.id, true],
      ['2', false],
      ['3', true],
    ]);
  });

  test('a score passes at its threshold, rounding forgiven', () => {
    expect(scoreOne(caseOf('contains', { values: ['a'] }, { threshold: 1 }), 'a').passed).toBe(true);
    expect(scoreOne(caseOf('contains', { values: ['a'] }, { threshold: 0 }), 'b').passed).toBe(true);
  });

  test('without cases there is no verdict', () => {
    expect(() => scoreAll([], 'x')).toThrow('at least one case');
  });
});

describe('scorer_output', () => {
  test('shows the beginning of long fields, is marked as truncated, and leaves the others whole', () => {
    const output = 'é'.repeat(10_000);
    const { scorer_output } = scoreOne(caseOf('exact_match', {}, { expected: 'short' }), output);
    expect(scorer_output).toEqual({
      expected: 'short',
      actual: output.slice(0, 2000),
      case_sensitive: true,
      truncated: true,
    });
  });

  test.each([[{ list: new Array(5000).fill(1) }], [new Array(5000).fill('x')], ['x'.repeat(10_000)]])(
    'shows a document that is too long as null, never as a part of it',
    (document) => {
      const { scorer_output } = scoreOne(caseOf('json_schema', { schema: {} }), JSON.stringify(document));
      expect(scorer_output).toEqual({ valid: true, parsed_output: null, truncated: true });
    },
  );

  test('shows long lists of matches by their first entries, and counts all', () => {
    const values = Array.from({ length: 1_000 }, (_, at) => `${at} ${'\u0001😀'.repeat(40)}`);
    const { scorer_output } = scoreOne(caseOf('contains', { values }), values.slice(0, 500).join());
    const { matches, ...rest } = scorer_output as { matches: { value: string; found: boolean }[] };
    expect(rest).toEqual({ mode: 'all', found_count: 500, total: 1_000, truncated: true });
    expect(matches.length).toBeGreaterThan(1);
    expect(JSON.stringify(matches).length).toBeLessThanOrEqual(2_001);
    for (const [at, { value, found }] of matches.entries()) {
      expect(values[at]?.startsWith(value)).toBe(true);
      expect(value.isWellFormed()).toBe(true);
      expect(found).toBe(true);
    }
  });

  test('shows long groups and errors as lists, too', () => {
    const groups = scoreOne(caseOf('regex', { pattern: '(x+)(y)?(z+)' }), `${'x'.repeat(9_000)}zz`);
    expect(groups.scorer_output).toMatchObject({
      match_groups: ['x'.repeat(100), null, 'zz'],
      truncated: true,
    });
    const names = Array.from({ length: 30 }, (_, at) => `${at}${'n'.repeat(300)}`);
    const schema = { additionalProperties: { type: 'string' } };
    const output = JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])));
    const { valid, errors } = scoreOne(caseOf('json_schema', { schema }), output).scorer_output;
    expect(valid).toBe(false);
    expect(Array.isArray(errors)).toBe(true);
    expect((errors as unknown[]).length).toBeGreaterThan(1);
  });

  test('does not cut a surrogate pair in two', () => {
    const { scorer_output } = scoreOne(
      caseOf('exact_match', {}, { expected: 'x' }),
      'x' + '😀'.repeat(10_000),
    );
    expect(scorer_output.actual).toBe('x' + '😀'.repeat(999));
  });
});

test('a case failed by an error from outside closes the gate and states why', () => {
  expect(
    failedByError(
      { id: '1', name: 'one', threshold: 0 },
      judgeError('JUDGE_UNPARSABLE', 'the judge gave no verdict'),
    ),
  ).toEqual({
    case_id: '1',
    case_name: 'one',
    passed: false,
    score: 0,
    threshold: 0,
    reason: 'the judge gave no verdict',
    scorer_output: { error: 'JUDGE_UNPARSABLE' },
    duration_ms: 0,
    errored: true,
    fault: 'candidate',
  });
});
