import { describe, expect, test } from '@jest/globals';
import { caseOf, scoreOne } from './cases.ts';

const proto = (value: number): unknown => JSON.parse(`{"__proto__":${value}}`);

describe('exact_match', () => {
  test.each([
    ['the same text', 'yes', {}, 'yes', 1],
    ['no trimming', 'yes', {}, 'yes\n', 0],
    ['case counts by default', 'Yes', {}, 'yes', 0],
    ['case can be ignored', 'STRASSE É', { case_sensitive: false }, 'strasse é', 1],
    ['dotless i is not i', 'mike', { case_sensitive: false }, 'mıke', 0],
    ['a string expected is compared with the whole output, not parsed', '{"a":1}', {}, '{ "a": 1 }', 0],
    ['an empty string is an expectation', '', {}, '', 1],
    ['key order', { a: 1, b: [true, null] }, {}, '{"b":[true,null],"a":1}', 1],
    ['array order', [1, 2], {}, '[2,1]', 0],
    ['1 and 1.0 are one number', 1, {}, '1.0', 1],
    ['-0 and 0 are one number', { a: 0 }, {}, '{"a":-0}', 1],
    ['a number is not its text', 1, {}, '"1"', 0],
    ['false is an expectation', false, {}, 'false', 1],
    ['null in a document is not a missing key', { a: null }, {}, '{}', 0],
    ['an extra key', { a: 1 }, {}, '{"a":1,"b":2}', 0],
    ['__proto__ is a key like any other', proto(1), {}, '{"__proto__":1}', 1],
    ['__proto__ is missed', proto(1), {}, '{}', 0],
    ['inherited names are no keys', { toString: 1 }, {}, '{}', 0],
    ['case ignored deep inside', { a: ['X'] }, { case_sensitive: false }, '{"a":["x"]}', 1],
    ['case of keys always counts', { A: 1 }, { case_sensitive: false }, '{"a":1}', 0],
    ['unparsable output', { a: 1 }, {}, 'a: 1', 0],
  ])('%s', (_, expected, config, output, score) => {
    expect(scoreOne(caseOf('exact_match', config, { expected }), output)).toMatchObject({
      score,
      errored: false,
    });
  });

  test('shows expected, actual and case_sensitive', () => {
    const { scorer_output } = scoreOne(caseOf('exact_match', {}, { expected: { a: 1 } }), '{"a":2}');
    expect(scorer_output).toEqual({ expected: { a: 1 }, actual: { a: 2 }, case_sensitive: true });
  });

  test.each([
    [{ items: [{ price: 1 }] }, '{"items":[{"price":2}]}', '/items/0/price is 2 instead of 1'],
    [{ 'a/b': 1 }, '{}', '/a~1b is missing'],
    ['yes', 'yes ', 'output differs from expected in leading or trailing whitespace only'],
    ['abcdef', 'abcxef', 'output differs from expected from character 4 on: "abcxef" instead of "abcdef"'],
    [[1], 'nope', 'output is not valid JSON: Unexpected token \'o\', "nope"'],
    [[1], '```json\n[1]\n```', 'output is not valid JSON: it is wrapped in a Markdown code fence'],
  ])('shows where %j differs', (expected, output, reason) => {
    expect(scoreOne(caseOf('exact_match', {}, { expected }), output).reason).toBe(reason);
  });

  test.each([null, undefined])(
    'without expected (%s) it is a scorer error, even at threshold 0',
    (expected) => {
      const result = scoreOne(caseOf('exact_match', {}, { expected, threshold: 0 }), 'x');
      expect(result).toMatchObject({
        passed: false,
        score: 0,
        errored: true,
        scorer_output: { error: 'EXPECTED_MISSING' },
      });
      expect(Object.keys(result.scorer_output)).toEqual(['error']);
    },
  );
});

describe('contains', () => {
  test.each([
    ['all', 'a b', 1],
    ['all', 'a', 0],
    ['any', 'b', 1],
    ['any', 'c', 0],
    ['none', 'c', 1],
    ['none', 'a', 0],
    [undefined, 'a', 0],
  ])('mode %s of a, b in "%s" scores %d', (mode, output, score) => {
    const config = mode === undefined ? { values: ['a', 'b'] } : { values: ['a', 'b'], mode };
    expect(scoreOne(caseOf('contains', config), output).score).toBe(score);
  });

  test('lists every value, and the reason names those that are missing', () => {
    const result = scoreOne(caseOf('contains', { values: ['30 days', 'refund policy'] }), 'within 30 days');
    expect(result.reason).toBe('missing 1 of 2 values: "refund policy"');
    expect(result.scorer_output).toEqual({
      mode: 'all',
      matches: [
        { value: '30 days', found: true },
        { value: 'refund policy', found: false },
      ],
      found_count: 1,
      total: 2,
    });
  });

  test('case counts', () => {
    expect(scoreOne(caseOf('contains', { values: ['A'] }), 'a').score).toBe(0);
    expect(scoreOne(caseOf('contains', { values: ['A'], case_sensitive: true }), 'a').score).toBe(0);
  });

  test.each([
    ['Refund', 'all REFUNDS', 'all', 1],
    ['REFUND', 'a refund', 'none', 0],
    ['straße', 'STRASSE', 'all', 0],
    ['ΟΔΟΣ', 'ΟΔΟΣΑ', 'none', 0],
    ['οδοσα', 'ΟΔΟΣΑ', 'all', 1],
  ])(
    'case does not count where the config turns it off: %s in %s, %s, scores %d',
    (value, output, mode, score) => {
      const config = { values: [value], mode, case_sensitive: false };
      const { score: plain, scorer_output } = scoreOne(caseOf('contains', config), output);
      expect(plain).toBe(score);
      expect(scorer_output.matches).toMatchObject([{ value }]);
    },
  );
});

describe('regex', () => {
  test.each([
    ['is not anchored', { pattern: 'b' }, 'abc', 1],
    ['flags count', { pattern: 'B', flags: 'i' }, 'abc', 1],
    ['should_match false', { pattern: 'b', should_match: false }, 'abc', 0],
    ['should_match false without a match', { pattern: 'z', should_match: false }, 'abc', 1],
    ['dot without s stops at a line', { pattern: 'a.b' }, 'a\nb', 0],
    ['u reads code points', { pattern: '^.$', flags: 'u' }, '😀', 1],
    ['sticky is anchored at the start', { pattern: 'b', flags: 'y' }, 'ab', 0],
  ])('%s', (_, config, output, score) => {
    expect(scoreOne(caseOf('regex', config), output)).toMatchObject({ score, errored: false });
  });

  test('shows the groups of the first match, null for those that took no part', () => {
    const { scorer_output } = scoreOne(caseOf('regex', { pattern: '(?<x>a)(b)?', flags: 'dg' }), 'za a');
    expect(scorer_output).toEqual({
      pattern: '(?<x>a)(b)?',
      flags: 'dg',
      should_match: true,
      matched: true,
      match_groups: ['a', null],
    });
  });

  test('half a surrogate pair does not leave the scorer', () => {
    const result = scoreOne(caseOf('regex', { pattern: '^(.)' }), '😀');
    expect(JSON.stringify(result).isWellFormed()).toBe(true);
    expect(result.scorer_output.match_groups).toEqual(['\ufffd']);
    expect(result.reason.isWellFormed()).toBe(true);
  });
});

describe('any scorer', () => {
  test('a judged case errs until there is a judge', () => {
    const result = scoreOne(caseOf('llm_judge', { rubric: 'x', _provider: 'openai' }, { threshold: 0 }), 'x');
    expect(result).toMatchObject({
      passed: false,
      score: 0,
      errored: true,
      scorer_output: { error: 'BYOK_KEY_MISSING' },
    });
  });

  test('a deleted scorer is an error of its cases', () => {
    const result = scoreOne({ ...caseOf('contains', {}), scorer: null, threshold: 0 }, 'x');
    expect(result).toMatchObject({ passed: false, scorer_output: { error: 'SCORER_NOT_FOUND' } });
    expect(result.reason).toContain('give the case another scorer');
  });

  test.each([
    ['regex', { pattern: '(' }],
    ['json_schema', { schema: { $schema: 'https://example.com/x' } }],
    ['contains', { values: [] }],
    ['astrology', {}],
  ])('a config of %s that slipped through errs and does not pass: %j', (type, config) => {
    const result = scoreOne(caseOf(type, config, { threshold: 0 }), '1');
    expect(result).toMatchObject({
      passed: false,
      errored: true,
      scorer_output: { error: 'SCORER_CONFIG_INVALID' },
    });
  });
});
