import * as z from 'zod';
import { described } from '../../contracts/base/fields.ts';
import { firstDifference } from '../compare/equality.ts';
import { dualSidedOutcome, nothingRight, precisionRecallOf } from '../compare/precisionRecall.ts';
import { textDifference } from '../compare/textDifference.ts';
import { once } from '../kit/config.ts';
import type { ScorerOutput } from '../kit/debugOutput.ts';
import { type Shown, scorerOutput } from '../kit/debugOutput.ts';
import type { CompiledScorer, DeterministicScorer, Guard, Outcome, ScorerError } from '../kit/definition.ts';
import { EXPECTED_MISSING, erroredOutcome } from '../kit/errors.ts';
import { pointerStep } from '../kit/json.ts';
import { namesIn } from '../kit/reading/caseTwins.ts';
import type { Expected } from '../kit/reading/expected.ts';
import { CASE_WORDS, normalizeField, normalizing, readingField } from '../kit/reading/fields.ts';
import { bare, kindOf, overlapOf } from '../kit/reading/parts.ts';
import type { Subject } from '../kit/reading/subject.ts';
import { clip, nameSome, quoteSome, toReason } from '../kit/text.ts';

const configSchema = once(() =>
  described(
    z.strictObject({
      case_sensitive: described(z.boolean().default(true), CASE_WORDS),
      ...normalizeField(),
      ...readingField(),
    }),
    { label: 'Exact match', hint: 'The output equals what the case expects.' },
  ),
);
type Config = z.infer<ReturnType<typeof configSchema>>;

const TIMEOUT: ScorerError = {
  code: 'EXACT_MATCH_TIMEOUT',
  fault: 'candidate',
  reason: 'the output was not compared with `expected` in time: use a shorter `expected`',
};
const GUARD: Guard = { timeout: TIMEOUT, limitMs: 250 };
const PARTS_GUARD: Guard = { ...GUARD, sharedPerMegabyteMs: 200 };
/** Shorter outputs are compared in less time than a deadline takes to set. */
const SHORT_LENGTH = 4_096;

export const exactMatch: DeterministicScorer<Config> = {
  type: 'exact_match',
  configSchema,
  errors: [TIMEOUT],
  readsExpected: true,
  needsExpected: true,
  compile(config, options): CompiledScorer {
    const { case_sensitive, normalize = false } = config;
    const compare = options.dualSided ? compareParts : compareWhole;
    const guard = options.dualSided ? PARTS_GUARD : GUARD;
    return {
      guard: normalize ? normalizing(guard) : guard,
      usesExpected: true,
      score(subject, expected): Outcome {
        if (expected.isMissing) return erroredOutcome(EXPECTED_MISSING);
        if (!normalize) return compare(subject, expected, case_sensitive);
        const outcome = compare(subject.normalized('bare'), expected.normalized('bare'), case_sensitive);
        return asSent(outcome, subject, expected);
      },
      ...(!options.dualSided && {
        stepsMax: ({ text }) => (text.length < SHORT_LENGTH ? text.length : Number.POSITIVE_INFINITY),
      }),
      reset() {},
    };
  },
};

/** What was compared is normalized; what is shown is as it was sent. */
function asSent(outcome: Outcome, subject: Subject, expected: Expected): Outcome {
  const { truncated: _, ...output } = outcome.output;
  const actual = typeof expected.value === 'string' ? subject.shownText : subject.shownJson;
  const shown = { ...output, expected: expected.shown.value, actual: actual.value };
  const reason = toReason(`both normalized: ${outcome.reason}`);
  return { ...outcome, reason, output: scorerOutput(shown, expected.shown, actual) };
}

function compareWhole(subject: Subject, expected: Expected, caseSensitive: boolean): Outcome {
  const isText = typeof expected.value === 'string';
  const difference = isText
    ? differenceOfTexts(subject, expected, caseSensitive)
    : jsonDifference(subject, expected, caseSensitive);
  const actual = isText ? subject.shownText : subject.shownJson;
  return {
    score: difference === null ? 1 : 0,
    reason: difference === null ? 'output equals expected' : toReason(difference),
    output: debugOutput(expected.shown, actual, caseSensitive),
    errored: false,
  };
}

function debugOutput(expected: Shown, actual: Shown, caseSensitive: boolean): ScorerOutput {
  const fields = { expected: expected.value, actual: actual.value, case_sensitive: caseSensitive };
  return scorerOutput(fields, expected, actual);
}

function differenceOfTexts(subject: Subject, expected: Expected, caseSensitive: boolean): string | null {
  const actual = caseSensitive ? subject.text : subject.lowerCase;
  const expectedText = caseSensitive ? String(expected.value) : expected.lowerCase;
  return actual === expectedText
    ? null
    : `output ${textDifference(actual, expectedText, subject.bare(caseSensitive))}`;
}

function jsonDifference(subject: Subject, expected: Expected, caseSensitive: boolean): string | null {
  if (!subject.parsed.ok) return subject.parsed.reason;
  const why = whyUnusable(subject, expected);
  if (why !== null) return why;
  const difference = firstDifference(expected.value, subject.parsed.value, {
    fold: caseSensitive ? (text) => text : (text) => text.toLowerCase(),
    keysOf: (object) => subject.keysOf(object),
  });
  if (difference === null) return null;
  return `${difference.path.map(pointerStep).join('') || 'output'} ${difference.message}`;
}

/** Why nothing of an output counts that is JSON. */
function whyUnusable(subject: Subject, expected: Expected): string | null {
  const { parsed } = subject;
  if (!parsed.ok) return parsed.isJson ? parsed.reason : null;
  if (expected.holdsLarge && subject.roundedNumber !== null) return ROUNDED;
  const ambiguous = subject.ambiguousName(() => namesIn(expected.value));
  return ambiguous === null ? null : `output is not usable JSON: it ${ambiguous}`;
}

/** The rounded number could equal the expected one although the written number does not. */
const ROUNDED = 'output is not usable JSON: it holds a number beyond 2^53 that JSON readers round';

function compareParts(subject: Subject, expected: Expected, caseSensitive: boolean): Outcome {
  const kind = kindOf(expected.value);
  const expectedParts = expected.parts(caseSensitive);
  const why = kind === 'words' ? null : whyUnusable(subject, expected);
  if (why !== null) {
    const nothing = nothingRight(expectedParts.total);
    return dualSidedOutcome(nothing, debugOutput(expected.shown, subject.shownJson, caseSensitive), why);
  }
  const given = subject.parts(kind, caseSensitive);
  const { found: foundCount, missing, extra } = overlapOf(expectedParts, given);
  const precisionRecall = precisionRecallOf({
    rightGiven: foundCount,
    given: given.total,
    found: foundCount,
    expected: expectedParts.total,
  });
  const actual = kind === 'words' ? subject.shownText : subject.shownJson;
  const output = debugOutput(expected.shown, actual, caseSensitive);
  const detail = inWords(
    missing,
    extra.map(bare),
    given.total - foundCount,
    kind === 'words' ? quoteSome : nameJson,
  );
  return dualSidedOutcome(precisionRecall, output, toReason(detail));
}

function nameJson(parts: readonly string[]): string {
  return nameSome(
    parts.slice(0, 3).map((part) => clip(part, 60)),
    parts.length,
  );
}

export function inWords(
  missing: readonly string[],
  extra: readonly string[],
  extraCount = extra.length,
  list = quoteSome,
): string {
  const parts: string[] = [];
  if (missing.length > 0) parts.push(`missing ${list(missing)}`);
  const more = extraCount > extra.length ? ` and ${extraCount - extra.length} more` : '';
  if (extra.length > 0) parts.push(`not expected ${list(extra)}${more}`);
  return parts.join('; ');
}
