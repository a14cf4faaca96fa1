import * as z from 'zod';
import type { ScorerOutput } from './debugOutput.ts';
import { type Shown, scorerOutput } from './debugOutput.ts';
import { firstDifference } from './equality.ts';
import { erroredOutcome } from './errors.ts';
import { Bag, dualSidedOutcome, sidesOf } from './sides.ts';
import type { Expected, Subject } from './subject.ts';
import { asReason, quote, quoteSome } from './text.ts';
import { partsOf, wordsOf } from './tokens.ts';
import type { CompiledScorer, Outcome, ScorerDefinition } from './types.ts';

const configSchema = z.object({ case_sensitive: z.boolean().default(true) });
type Config = z.infer<typeof configSchema>;

export const exactMatch: ScorerDefinition<Config> = {
  type: 'exact_match',
  configSchema,
  compile(config, options): CompiledScorer {
    const compare = options.dualSided ? compareParts : compareWhole;
    return {
      guard: null,
      usesExpected: true,
      score: (subject, expected) =>
        expected.isMissing
          ? erroredOutcome('EXPECTED_MISSING')
          : compare(subject, expected, config.case_sensitive),
      reset() {},
    };
  },
};

function compareWhole(subject: Subject, expected: Expected, caseSensitive: boolean): Outcome {
  const isText = typeof expected.value === 'string';
  const difference = isText
    ? textDifference(subject, expected, caseSensitive)
    : jsonDifference(subject, expected, caseSensitive);
  const actual = isText ? subject.shownText : subject.shownJson;
  return {
    score: difference === null ? 1 : 0,
    reason: difference === null ? 'output equals expected' : asReason(difference),
    output: debugOutput(expected.shown, actual, caseSensitive),
    errored: false,
  };
}

function debugOutput(expected: Shown, actual: Shown, caseSensitive: boolean): ScorerOutput {
  const fields = { expected: expected.value, actual: actual.value, case_sensitive: caseSensitive };
  return scorerOutput(fields, expected, actual);
}

function textDifference(subject: Subject, expected: Expected, caseSensitive: boolean): string | null {
  const actual = caseSensitive ? subject.text : subject.lowerCase;
  const wanted = caseSensitive ? String(expected.value) : expected.lowerCase;
  if (actual === wanted) return null;
  if (differsAtEdgesOnly(actual, wanted))
    return 'output differs from expected in leading or trailing whitespace only';
  const at = commonPrefixLength(actual, wanted);
  if (at === actual.length)
    return `output ends after ${at} characters, before ${quote(wanted.slice(at, at + 80))}`;
  if (at === wanted.length) return `output goes on after expected with ${quote(actual.slice(at, at + 80))}`;
  const [got, want] = [actual.slice(at, at + 80), wanted.slice(at, at + 80)];
  return `output differs from expected from character ${at + 1} on: ${quote(got)} instead of ${quote(want)}`;
}

function differsAtEdgesOnly(a: string, b: string): boolean {
  const [bareA, bareB] = [a.trim(), b.trim()];
  const isBare = bareA.length === a.length && bareB.length === b.length;
  return !isBare && bareA === bareB;
}

/** By halves: comparing slices is many times faster than comparing characters. */
function commonPrefixLength(a: string, b: string): number {
  let [same, limit] = [0, Math.min(a.length, b.length)];
  while (same < limit) {
    const middle = (same + limit + 1) >> 1;
    if (a.slice(same, middle) === b.slice(same, middle)) same = middle;
    else limit = middle - 1;
  }
  return same;
}

function jsonDifference(subject: Subject, expected: Expected, caseSensitive: boolean): string | null {
  if (!subject.parsed.ok) return subject.parsed.reason;
  const difference = firstDifference(expected.value, subject.parsed.value, {
    fold: caseSensitive ? (text) => text : (text) => text.toLowerCase(),
    memberCount: (object) => subject.memberCount(object),
  });
  return difference === null
    ? null
    : `${difference.path === '' ? 'output' : difference.path} ${difference.message}`;
}

function compareParts(subject: Subject, expected: Expected, caseSensitive: boolean): Outcome {
  const isText = typeof expected.value === 'string';
  const fold = caseSensitive ? (text: string) => text : (text: string) => text.toLowerCase();
  const wanted = (isText ? wordsOf(String(expected.value)) : partsOf(expected.value)).map(fold);
  const given = givenParts(subject, isText).map(fold);
  const missing = new Bag(wanted);
  const extra = given.filter((part) => !missing.take(part));
  const found = given.length - extra.length;
  const sides = sidesOf({ rightGiven: found, given: given.length, found, expected: wanted.length });
  const actual = isText ? subject.shownText : subject.shownJson;
  const output = debugOutput(expected.shown, actual, caseSensitive);
  return dualSidedOutcome(sides, output, inWords([...missing.rest()], extra));
}

function givenParts(subject: Subject, isText: boolean): string[] {
  if (isText) return wordsOf(subject.text);
  return subject.parsed.ok ? partsOf(subject.parsed.value) : wordsOf(subject.text);
}

export function inWords(missing: readonly string[], extra: readonly string[]): string {
  const parts: string[] = [];
  if (missing.length > 0) parts.push(`missing ${quoteSome(missing)}`);
  if (extra.length > 0) parts.push(`not expected ${quoteSome(extra)}`);
  return parts.join('; ');
}
