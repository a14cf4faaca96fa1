import { describe, expect, test } from '@jest/globals';
import { caseResult } from '../../../shared/scoring/engine/score.ts';
import { caseOf, type Options, scoreOne } from './cases.ts';

const dual = (type: string, config: unknown, output: string, options: Options = {}) =>
  scoreOne(caseOf(type, config, { dual_sided: true, ...options }), output);
const figures = (precision: number, recall: number, tp: number, fp: number, fn: number) => ({
  precision,
  recall,
  true_positives: tp,
  false_positives: fp,
  false_negatives: fn,
});

describe('dual-sided contains', () => {
  test.each([
    ['words', ['a', 'b'], 'a, b', figures(1, 1, 2, 0, 0)],
    ['an extra word', ['red', 'blue'], 'red blue green black', figures(0.5, 1, 2, 2, 0)],
    ['a missing value', ['red', 'blue'], 'red', figures(1, 0.5, 1, 0, 1)],
    ['lines', ['red wine', 'beer'], '- red wine\n- beer\n- tea', figures(2 / 3, 1, 2, 1, 0)],
    ['the elements of a JSON array', ['a b', 'é'], '["a b","\\u00e9","x, y"]', figures(2 / 3, 1, 2, 1, 0)],
    ['a value of two words covers both', ['new york'], 'new york city', figures(2 / 3, 1, 1, 1, 0)],
    ['a value of which occurrences overlap', ['a b a'], 'a b a b a', figures(1, 1, 1, 0, 0)],
    ['values within one another', ['b', 'a b c'], 'a b c d', figures(0.75, 1, 2, 1, 0)],
    ['no item for blank lines', ['a', 'b'], 'a\n \t\nb\n\n', figures(1, 1, 2, 0, 0)],
    ['no value across halves of characters', ['\u{10000}'], '["x","\\udc00"]', figures(0, 0, 0, 2, 1)],
    ['an empty output', ['a'], '', figures(0, 0, 0, 0, 1)],
  ])('counts %s', (_, values, output, expected) => {
    expect(dual('contains', { values }, output).scorer_output).toMatchObject(expected);
  });

  test('where case does not count, finds and shows texts as they are written', () => {
    const config = { values: ['RED', 'blue'], case_sensitive: false };
    const result = dual('contains', config, 'İ red\nBlue\nGREEN');
    expect(result.scorer_output).toMatchObject(figures(2 / 3, 1, 2, 1, 0));
    expect(result.reason).toContain('not expected "GREEN"');
  });

  test('does not go with mode none, which has nothing to find', () => {
    expect(dual('contains', { values: ['a'], mode: 'none' }, 'a', { threshold: 0 })).toMatchObject({
      passed: false,
      errored: true,
    });
  });
});

describe('dual-sided exact_match', () => {
  test.each([
    ['tokens', 'the cat sat', 'the cat', figures(1, 2 / 3, 2, 0, 1)],
    ['a duplicate needs a duplicate', 'a a b', 'a b b', figures(2 / 3, 2 / 3, 2, 1, 1)],
    ['punctuation around words does not count', '(Paris), France!', 'Paris France.', figures(1, 1, 2, 0, 0)],
    ['signs do', '-5', '5', figures(0, 0, 0, 1, 1)],
    ['both empty', '', '', figures(1, 1, 0, 0, 0)],
    ['only the output empty', 'a', '', figures(0, 0, 0, 0, 1)],
    ['the elements of an array', ['a', { b: 1, c: 2 }], '[{"c":2,"b":1},"x"]', figures(0.5, 0.5, 1, 1, 1)],
    ['the leaves of an object', { a: 1, b: { c: 2 } }, '{"b":{"c":2},"a":0}', figures(0.5, 0.5, 1, 1, 1)],
  ])('counts %s', (_, expected, output, counts) => {
    expect(dual('exact_match', {}, output, { expected }).scorer_output).toMatchObject(counts);
  });

  test('ignores case where the scorer does', () => {
    expect(dual('exact_match', { case_sensitive: false }, 'a B', { expected: 'A b' }).score).toBe(1);
  });

  test('needs expected', () => {
    expect(dual('exact_match', {}, 'x').scorer_output).toEqual({ error: 'EXPECTED_MISSING' });
  });
});

describe('dual-sided regex', () => {
  test.each([
    [['#1', '#2'], '#1 #3', figures(0.5, 0.5, 1, 1, 1)],
    [['#1', '#1'], '#1', figures(1, 0.5, 1, 0, 1)],
    [[], 'none', figures(1, 1, 0, 0, 0)],
    [['#1'], 'none', figures(0, 0, 0, 0, 1)],
  ])('compares all matches with %j', (expected, output, counts) => {
    expect(dual('regex', { pattern: '#\\d' }, output, { expected }).scorer_output).toMatchObject(counts);
  });

  test.each([null, 'a', [1]])('needs a list of strings, not %j', (expected) => {
    expect(dual('regex', { pattern: 'a' }, 'a', { expected }).scorer_output).toEqual({
      error: 'EXPECTED_MISSING',
    });
  });

  test('keeps no position between calls', () => {
    const suite = caseOf('regex', { pattern: 'a', flags: 'g' }, { dual_sided: true, expected: ['a', 'a'] });
    expect([scoreOne(suite, 'aa').score, scoreOne(suite, 'aa').score]).toEqual([1, 1]);
  });
});

describe('dual-sided json_schema', () => {
  const schema = {
    required: ['a', 'b'],
    properties: { a: { type: 'number' }, b: { type: 'number' }, c: { type: 'number' } },
  };

  const closed = { ...schema, type: 'object', additionalProperties: false };

  test.each([
    ['perfect', '{"a":1,"b":2}', figures(1, 1, 2, 0, 0)],
    ['an undeclared property', '{"a":1,"b":2,"x":3,"y":4}', figures(0.5, 1, 2, 2, 0)],
    ['a missing property', '{"a":1}', figures(1, 0.5, 1, 0, 1)],
    ['an invalid required property', '{"a":1,"b":"2"}', figures(1, 0.5, 1, 0, 1)],
    ['not an object', '[1]', figures(0, 0, 0, 1, 2)],
    ['not JSON', 'a: 1', figures(0, 0, 0, 1, 2)],
  ])('counts %s', (_, output, counts) => {
    expect(dual('json_schema', { schema: closed }, output).scorer_output).toMatchObject(counts);
  });

  test.each([
    ['an undeclared property', '{"a":1,"b":2,"x":3,"y":4}'],
    ['what is no object', '[1]'],
  ])('does not count %s that the schema lets pass', (_, output) => {
    expect(dual('json_schema', { schema }, output).scorer_output).toMatchObject({
      valid: true,
      precision: 1,
      recall: 1,
      false_positives: 0,
      false_negatives: 0,
    });
  });

  test('a valid output scores 1 though a dynamic reference leads elsewhere than it seems to', () => {
    const over = { $dynamicAnchor: 'n', type: 'object' };
    const d = { $dynamicAnchor: 'n', required: ['a'] };
    const base = { $id: 'base', $dynamicRef: '#n', $defs: { d } };
    const dynamic = { $id: 'https://example.com/main', $ref: 'base', $defs: { over, base } };
    for (const output of ['{}', '{"b":1}', '{"a":1}']) {
      expect(dual('json_schema', { schema: dynamic }, output)).toMatchObject({ score: 1, passed: true });
    }
  });

  test.each([
    ['a wrong optional property', schema, '{"a":1,"b":2,"c":"3"}'],
    ['a broken rule on the whole', { ...schema, maxProperties: 1 }, '{"a":1,"b":2}'],
    ['a wrong type', { type: 'object' }, '[]'],
    ['no JSON', { type: 'object' }, 'x'],
  ])('an invalid output never scores 1: %s', (_, invalidated, output) => {
    expect(dual('json_schema', { schema: invalidated }, output).score).toBeLessThan(1);
  });
});

describe('a dual-sided case', () => {
  const score = (options: Options) => dual('contains', { values: ['red'] }, 'red green', options);

  test('scores F1', () => {
    expect(score({}).score).toBeCloseTo(2 / 3, 12);
    expect(score({}).reason).toBe('F1 0.667, precision 0.5, recall 1: not expected "green"');
  });

  test.each([
    [{ threshold: 0.66 }, true],
    [{ threshold: 0.67 }, false],
    [{ precision_threshold: 0.5 }, true],
    [{ precision_threshold: 0.51 }, false],
    [{ recall_threshold: 1 }, true],
    [{ recall_threshold: 1, precision_threshold: 0.6 }, false],
    [{ threshold: 2 / 3 + 1e-12 }, true],
  ])('passes only when score and both set thresholds hold: %j', (options, passed) => {
    expect(score(options).passed).toBe(passed);
  });
});

const outcome = { score: 1, reason: '', output: {}, errored: false };

test.each([
  [{ precision_threshold: 0.5 }, false],
  [{ recall_threshold: 0.5 }, false],
  [{}, true],
])(
  'an outcome without precision and recall does not reach a threshold of either: %j',
  (thresholds, passed) => {
    const evalCase = caseOf('llm_judge', {}, { dual_sided: true, ...thresholds });
    expect(caseResult(evalCase, outcome, 0).passed).toBe(passed);
  },
);
