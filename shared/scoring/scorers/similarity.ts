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
  compile: (config): CompiledScorer => {
    const wantedOf = sideOfLast(config);
    return {
      guard: GUARD,
      usesExpected: true,
      score: (subject, expected) => scoreTexts(config, subject, expected, wantedOf),
      reset() {},
    };
  },
};

/** The outputs of a case come one after the other. Those of all cases would take the memory of a function. */
function sideOfLast(config: Config): (expected: Expected) => Side {
  let last: { readonly expected: Expected; readonly side: Side } | undefined;
  return (expected) => {
    if (last?.expected !== expected) {
      const text = config.case_sensitive ? String(expected.value) : expected.lowerCase;
      last = { expected, side: sideOf(config, text) };
    }
    return last.side;
  };
}

function scoreTexts(
  config: Config,
  subject: Subject,
  expected: Expected,
  wantedOf: (expected: Expected) => Side,
): Outcome {
  if (typeof expected.value !== 'string') return erroredOutcome(EXPECTED_TEXT_MISSING);
  if (isTooLong(subject.text) || isTooLong(expected.value)) return erroredOutcome(TOO_LONG);
  const { metric, case_sensitive, same_numbers } = config;
  const output = sideOf(config, case_sensitive ? subject.text : subject.lowerCase);
  const expectedSide = wantedOf(expected);
  const outcome =
    metric === 'levenshtein' ? byCharacters(output, expectedSide) : byWords(output, expectedSide);
  const why = same_numbers ? whyOtherNumbers(output, expectedSide) : null;
  return why === null ? outcome : { ...outcome, score: 0, reason: toReason(why) };
}

/** A text as it is compared. */
interface Side {
  /** Characters or words. */
  readonly elements: readonly string[];
  readonly numbers: readonly string[];
}

function sideOf({ metric, normalize_whitespace, same_numbers }: Config, sent: string): Side {
  const text = normalize_whitespace ? sent.trim().replace(/\s+/g, ' ') : sent;
  return {
    elements: metric === 'levenshtein' ? [...text] : wordsOf(text),
    numbers: same_numbers ? numbersIn(text) : [],
  };
}

/** One digit is a small share of a text, and makes another answer of it. */
function whyOtherNumbers({ numbers: there }: Side, { numbers: expectedNumbers }: Side): string | null {
  const { missing } = overlapOf(countsOf(expectedNumbers), countsOf(there));
  if (missing.length === 0) return null;
  return `output lacks ${quoteSome(missing)} of the numbers of expected: it has ${quoteSome(there) || 'none'}`;
}

const isTooLong = (text: string): boolean =>
  text.length > TEXT_LENGTH_MAX &&
  (text.length > TEXT_LENGTH_MAX * 2 || characterCount(text) > TEXT_LENGTH_MAX);

function byCharacters(output: Side, expected: Side): Outcome {
  const pair = paired(output.elements, expected.elements);
  const distance = editDistance(pair);
  const length = Math.max(pair.left.length, pair.right.length);
  const score = length === 0 ? 1 : 1 - distance / length;
  return {
    score,
    reason: `similarity ${rounded(score)}: ${distance} of ${length} characters differ from expected`,
    output: { metric: 'levenshtein', similarity: score, distance, length },
    errored: false,
  };
}

/** ROUGE-L: the harmonic mean of the shares of both texts that their longest common sequence of words has. */
function byWords(output: Side, expected: Side): Outcome {
  const pair = paired(output.elements, expected.elements);
  const common = commonLength(pair);
  const words = pair.left.length + pair.right.length;
  const score = words === 0 ? 1 : (2 * common) / words;
  return {
    score,
    reason: `similarity ${rounded(score)}: ${common} words in common, of ${pair.left.length} in the output and ${pair.right.length} in expected`,
    output: {
      metric: 'rouge_l',
      similarity: score,
      common_words: common,
      output_words: pair.left.length,
      expected_words: pair.right.length,
    },
    errored: false,
  };
}

const rounded = (share: number): number => Math.round(share * 1_000) / 1_000;
