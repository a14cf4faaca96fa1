import * as z from 'zod';
import { described } from '../../contracts/base/fields.ts';
import { commonLength, editDistance, paired } from '../compare/alignment.ts';
import { once } from '../kit/config.ts';
import type { CompiledScorer, DeterministicScorer, Guard, Outcome, ScorerError } from '../kit/definition.ts';
import { EXPECTED_MISSING, erroredOutcome } from '../kit/errors.ts';
import type { Expected } from '../kit/reading/expected.ts';
import { CASE_WORDS, readingField } from '../kit/reading/fields.ts';
import { numbersIn } from '../kit/reading/numbers.ts';
import { countsOf, overlapOf } from '../kit/reading/parts.ts';
import type { Subject } from '../kit/reading/subject.ts';
import { wordsOf } from '../kit/reading/words.ts';
import { characterCount, quoteSome, toReason } from '../kit/text.ts';

const configSchema = once(() =>
  described(
    z.strictObject({
      metric: described(z.enum(['levenshtein', 'rouge_l']), {
        label: 'Measured by',
        options: { levenshtein: 'letters (Levenshtein)', rouge_l: 'words in their order (ROUGE-L)' },
      }),
      case_sensitive: described(z.boolean().default(true), CASE_WORDS),
      normalize_whitespace: described(z.boolean().default(true), {
        label: 'Any run of blanks counts as one',
      }),
      same_numbers: described(z.boolean().optional(), {
        label: 'The output has each number of the expected text',
      }),
      ...readingField(),
    }),
    { label: 'Similarity', hint: 'The output is close to the text that the case expects.' },
  ),
);
export type Config = z.infer<ReturnType<typeof configSchema>>;

const TEXT_LENGTH_MAX = 20_000;
const TOO_LONG: ScorerError = {
  code: 'SIMILARITY_TOO_LONG',
  fault: 'candidate',
  reason: `texts of more than ${TEXT_LENGTH_MAX} characters, or more of shorter ones than a run has time for, are not compared: use shorter ones`,
};
/** Two texts of the greatest length take some 200 ms. */
const GUARD: Guard = { timeout: TOO_LONG, limitMs: 500 };
const EXPECTED_TEXT_MISSING: ScorerError = {
  ...EXPECTED_MISSING,
  reason: 'similarity compares the output with `expected`: set it to a text',
};

export const similarity: DeterministicScorer<Config> = {
  type: 'similarity',
  configSchema,
  errors: [TOO_LONG],
  isOneSided: true,
  readsExpected: true,
  needsExpected: true,
  compile: (config): CompiledScorer => ({
    guard: GUARD,
    usesExpected: true,
    score: (subject, expected) => scoreTexts(config, subject, expected),
    reset() {},
  }),
};

function scoreTexts(config: Config, subject: Subject, expected: Expected): Outcome {
  if (typeof expected.value !== 'string') return erroredOutcome(EXPECTED_TEXT_MISSING);
  if (isTooLong(subject.text) || isTooLong(expected.value)) return erroredOutcome(TOO_LONG);
  const { metric, case_sensitive, normalize_whitespace, same_numbers } = config;
  const texts = [
    case_sensitive ? subject.text : subject.lowerCase,
    case_sensitive ? expected.value : expected.lowerCase,
  ].map((text) => (normalize_whitespace ? text.trim().replace(/\s+/g, ' ') : text));
  const outcome = metric === 'levenshtein' ? byCharacters(texts) : byWords(texts);
  const why = same_numbers ? whyOtherNumbers(texts) : null;
  return why === null ? outcome : { ...outcome, score: 0, reason: toReason(why) };
}

/** One digit is a small share of a text, and makes another answer of it. */
function whyOtherNumbers(texts: readonly string[]): string | null {
  const [there = [], wanted = []] = texts.map(numbersIn);
  const { missing } = overlapOf(countsOf(wanted), countsOf(there));
  if (missing.length === 0) return null;
  return `output lacks ${quoteSome(missing)} of the numbers of expected: it has ${quoteSome(there) || 'none'}`;
}

const isTooLong = (text: string): boolean =>
  text.length > TEXT_LENGTH_MAX &&
  (text.length > TEXT_LENGTH_MAX * 2 || characterCount(text) > TEXT_LENGTH_MAX);

function byCharacters([output = '', expected = '']: readonly string[]): Outcome {
  const pair = paired([...output], [...expected]);
  const distance = editDistance(pair);
  const length = Math.max(pair.one.length, pair.other.length);
  const score = length === 0 ? 1 : 1 - distance / length;
  return {
    score,
    reason: `similarity ${rounded(score)}: ${distance} of ${length} characters differ from expected`,
    output: { metric: 'levenshtein', similarity: score, distance, length },
    errored: false,
  };
}

/** ROUGE-L: the harmonic mean of the shares of both texts that their longest common sequence of words has. */
function byWords([output = '', expected = '']: readonly string[]): Outcome {
  const pair = paired(wordsOf(output), wordsOf(expected));
  const common = commonLength(pair);
  const words = pair.one.length + pair.other.length;
  const score = words === 0 ? 1 : (2 * common) / words;
  return {
    score,
    reason: `similarity ${rounded(score)}: ${common} words in common, of ${pair.one.length} in the output and ${pair.other.length} in expected`,
    output: {
      metric: 'rouge_l',
      similarity: score,
      common_words: common,
      output_words: pair.one.length,
      expected_words: pair.other.length,
    },
    errored: false,
  };
}

const rounded = (share: number): number => Math.round(share * 1_000) / 1_000;
