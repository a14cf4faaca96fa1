import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
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

  test('states how far the texts are apart', () => {
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

  test('states how many words the texts share', () => {
    const result = scored({ metric: 'rouge_l' }, 'a b c', 'a x c d');
    expect(result.reason).toBe('similarity 0.571: 2 words in common, of 4 in the output and 3 in expected');
    expect(result.scorer_output).toEqual({
      metric: 'rouge_l',
      similarity: 4 / 7,
      common_words: 2,
      output_words: 4,
      expected_words: 3,
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
      passed: false,
      errored: true,
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
        passed: false,
        errored: true,
        scorer_output: { error: 'SIMILARITY_TOO_LONG' },
      });
    }
  });
});

describe.each(['levenshtein', 'rouge_l'])('same_numbers of %s', (metric) => {
  const numbersOf = (expected: string, output: string) =>
    scored({ metric, same_numbers: true, case_sensitive: false }, expected, output);

  test.each([
    ['a digit', 'within 30 days', 'within 31 days'],
    ['a digit more', 'within 30 days', 'within 300 days'],
    ['a separator', 'costs 1,000 EUR', 'costs 1000 EUR'],
    ['a separator of another kind', 'costs 1.000 EUR', 'costs 1,000 EUR'],
    ['a fraction', 'costs 3.50', 'costs 3.5'],
    ['a sign', 'at -5 degrees', 'at 5 degrees'],
    ['a sign before a currency', 'a balance of -$5', 'a balance of $5'],
    ['a point before it', 'a share of .5', 'a share of 5'],
    ['a percent sign', 'a discount of 5 %', 'a discount of 5'],
    ['the order in a date', 'on 2024-05-01', 'on 2024-01-05'],
    ['the order in a time', 'at 10:30', 'at 30:10'],
    ['a unit that touches it', 'up to 5k', 'up to 5m'],
    ['a power', 'about 10²', 'about 10'],
    ['how often it stands there', '5 days and 5 nights', '5 days and nights'],
    ['an invisible character', 'within 30 days', 'within 3\u200b0 days'],
    ['a number in words', 'within 30 days', 'within thirty days'],
    ['nothing', 'within 30 days', ''],
    ['digits of another script', 'within 30 days', 'within ٣٠ days'],
    ['a digit without blanks beside it', '需要30天', '需要31天'],
  ])('scores 0 where %s differs', (_, expected, output) => {
    expect(numbersOf(expected, output).score).toBe(0);
    expect(numbersOf(expected, expected).score).toBe(1);
  });

  test.each([
    ['punctuation around it', 'within 30 days.', 'within (30) days.'],
    ['a currency beside it', 'costs $30 today', 'costs 30 € today'],
    ['a hyphen and a word behind it', 'a 30 day trial', 'a 30-day trial'],
    ['a blank before its percent sign', 'a discount of 5 %', 'a discount of 5%'],
    ['another dash', 'takes 5-10 days', 'takes 5–10 days'],
    ['case', 'up to 5K', 'up to 5k'],
    ['more numbers', 'takes 5 days', 'takes 5 days, not 6'],
    ['order', 'from 5 to 10', 'to 10 from 5'],
  ])('scores as without it where %s differs', (_, expected, output) => {
    const { score, reason } = scored({ metric, case_sensitive: false }, expected, output);
    expect(numbersOf(expected, output)).toMatchObject({ score, reason });
  });

  test('names the numbers that are missing, and those that are there', () => {
    expect(numbersOf('30 days, 5 EUR', '31 days, 5 EUR').reason).toBe(
      'output lacks "30" of the numbers of expected: it has "31", "5"',
    );
    expect(numbersOf('30 days', 'some days').reason).toBe(
      'output lacks "30" of the numbers of expected: it has none',
    );
  });

  test('never scores an output above what it has without, and a text itself at 1', () => {
    const text = fc.array(fc.constantFrom('1', '20', ',', '.', '-', ' ', '%', 'a', '$', '天'), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [expected, output] = [one.join(''), other.join('')];
        const without = scored({ metric, case_sensitive: false }, expected, output).score;
        expect(numbersOf(expected, output).score).toBeLessThanOrEqual(without);
        expect(numbersOf(expected, expected).score).toBe(1);
      }),
    );
  });
});
