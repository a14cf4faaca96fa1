import { describe, expect, test } from '@jest/globals';
import { caseOf, scoreOne } from '../cases.ts';
import { allowSlowMachine } from '../slowMachine.ts';

allowSlowMachine();

const scored = (config: object, expected: unknown, output: string) =>
  scoreOne(caseOf('similarity', config, { expected, threshold: 0 }), output);

describe('levenshtein', () => {
  test.each([
    ['equal texts', {}, 'kitten', 'kitten', 1],
    ['three changes of seven', {}, 'kitten', 'sitting', 1 - 3 / 7],
    ['nothing in common', {}, 'abc', 'xyz', 0],
    ['two empty texts', {}, '', '', 1],
    ['one empty text', {}, 'abc', '', 0],
    ['case counts', {}, 'ABC', 'abc', 0],
    ['case can be ignored', { case_sensitive: false }, 'ABC', 'abc', 1],
    ['white space does not count', {}, 'a  b\n', ' a b', 1],
    ['white space can count', { normalize_whitespace: false }, 'a b', 'a  b', 1 - 1 / 4],
    ['characters, not their halves', {}, '😀', '😁', 0],
  ])('%s', (_, config, expected, output, score) => {
    expect(scored({ metric: 'levenshtein', ...config }, expected, output).score).toBeCloseTo(score, 12);
  });

  test('says how far the texts are apart', () => {
    const result = scored({ metric: 'levenshtein' }, 'kitten', 'sitting');
    expect(result.reason).toBe('similarity 0.571: 3 of 7 characters differ from expected');
    expect(result.scorer_output).toEqual({
      metric: 'levenshtein',
      similarity: 1 - 3 / 7,
      distance: 3,
      length: 7,
    });
  });
});

describe('rouge_l', () => {
  test.each([
    ['equal texts', {}, 'police killed the gunman', 'Police killed the gunman', 0.75],
    [
      'words in order',
      { case_sensitive: false },
      'police killed the gunman',
      'Police kill the gunman.',
      0.75,
    ],
    ['two empty texts', {}, '', ' ', 1],
    ['one empty text', {}, 'a', '', 0],
  ])('%s', (_, config, expected, output, score) => {
    expect(scored({ metric: 'rouge_l', ...config }, expected, output).score).toBeCloseTo(score, 12);
  });

  test('says how many words the texts share', () => {
    const result = scored({ metric: 'rouge_l' }, 'a b c', 'a x c d');
    expect(result.reason).toBe('similarity 0.571: 2 words in common, of 4 in the output and 3 in expected');
    expect(result.scorer_output).toEqual({
      ...{ metric: 'rouge_l', similarity: 4 / 7, common_words: 2 },
      ...{ output_words: 4, expected_words: 3 },
    });
  });
});

/** `fmeasure` of `rougeL` by rouge_score (google-research), without its stemmer. */
describe('rouge_l in any case', () => {
  const rouge = (expected: string, output: string) =>
    scored({ metric: 'rouge_l', case_sensitive: false }, expected, output).score;

  test.each([
    ['testing one two', 'testing', 1 / 2],
    ['testing one two', 'testing one', 4 / 5],
    ['testing one two', '', 0],
    ['The quick brown fox jumps over the lazy dog', 'The quick brown dog jumps on the log.', 10 / 17],
    ['police killed the gunman', 'police kill the gunman', 3 / 4],
    ['police killed the gunman', 'the gunman kill police', 1 / 2],
    ['The cat sat on the mat.', 'the cat is on the mat', 5 / 6],
    ['hello ', 'hello world!!!', 2 / 3],
    ['the answer is 42', 'The answer is: **42**.', 1],
    ['a b c d e f', 'f e d c b a', 1 / 6],
  ])('%j and %j have the score of rouge_score', (expected, output, score) => {
    expect(rouge(expected, output)).toBeCloseTo(score, 12);
  });

  test.each([
    ['words joined by punctuation are one', 'a state-of-the-art model', 'a state of the art model', 1, 4 / 9],
    ['numbers keep their point', 'version 3.14', 'version 3 14', 1, 2 / 5],
    ['apostrophes within a word count', "I don't know", 'I don’t know', 1, 2 / 3],
    ['letters beyond a to z count', 'un café à Paris', 'un cafe a Paris', 4 / 7, 1 / 2],
    ['other scripts have words', '我爱北京', '我爱上海', 0, 2 / 3],
    ['signs of numbers count', '-5 degrees', '5 degrees', 1, 1 / 2],
    ['a percentage is no number', '100 %', '100', 1, 2 / 3],
    ['two texts without words are equal', '', '', 0, 1],
  ])('differs from rouge_score: %s', (_, expected, output, there, here) => {
    expect(rouge(expected, output)).toBeCloseTo(here, 12);
    expect(there).not.toBeCloseTo(here, 12);
  });
});

describe.each(['levenshtein', 'rouge_l'])('%s', (metric) => {
  test.each([null, 5, ['a'], { a: 1 }])('needs a text to compare with, not %j', (expected) => {
    expect(scored({ metric }, expected, 'a')).toMatchObject({
      ...{ passed: false, errored: true },
      scorer_output: { error: 'EXPECTED_MISSING' },
    });
  });

  test('compares 20,000 characters, whatever they are, and no more', () => {
    for (const [one, other] of [
      ['a', 'b'],
      ['😀', 'a '],
      ['ab ', 'ba '],
    ] as const) {
      const fill = (unit: string) => unit.repeat(20_000 / [...unit].length).padEnd(20_000 - 1);
      expect(scored({ metric }, fill(one), fill(other))).toMatchObject({ errored: false });
    }
    for (const [expected, output] of [
      ['a', 'b'.repeat(20_001)],
      ['😀'.repeat(20_001), 'b'],
    ]) {
      expect(scored({ metric }, expected, output ?? '')).toMatchObject({
        ...{ passed: false, errored: true },
        scorer_output: { error: 'SIMILARITY_TOO_LONG' },
      });
    }
  });
});
