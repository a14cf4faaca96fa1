import type { BarWarning } from '../../contracts/gates.ts';
import type { RuledCase } from '../engine/cases.ts';
import { isJudged, readsTrace } from '../engine/judged.ts';
import type { CompiledScorer } from '../kit/definition.ts';
import { quote } from '../kit/text.ts';
import type { CaseResult } from '../kit/types.ts';
import { reaches } from '../verdict/tolerance.ts';
import { textOf } from './outputs.ts';
import { leastAbove, type OutputsOf, openProbe, scoreInPasses } from './passes.ts';
import { nameIn, SLIP_KINDS, type Slip, type SlipKind, slipsOf } from './slips.ts';

/** The share of the weight from which on a kind of slip is warned of. */
const SHARE_MIN = 0.2;
/** Of all outputs with a slip: what is beyond is not tried. */
const CHARACTERS_MAX = 8_000_000;

/** Which wrong facts would pass in many of the active cases that have such a fact in their `expected`. */
export async function probeSlips<Case extends RuledCase>(cases: readonly Case[]): Promise<BarWarning[]> {
  const otherName = otherNames(cases);
  const slips: Slip[][] = [];
  let left = CHARACTERS_MAX;
  let tooMany = 0;
  const outputsOf: OutputsOf<Case> = (evalCase, compiled, index) => {
    const { expected } = evalCase;
    const isAsked = readsText(evalCase, compiled);
    if (isAsked && left <= 0) tooMany += 1;
    const caseSlips = isAsked && left > 0 ? slipsOf(expected, otherName(index)) : [];
    left -= caseSlips.reduce((sum, { output }) => sum + output.length, 0);
    slips[index] = caseSlips;
    if (caseSlips.length === 0 || isEqualOnly(evalCase)) return [];
    return [...caseSlips.map(({ output }) => ({ output })), { output: textOf(expected) }];
  };
  const results = await scoreInPasses(cases, outputsOf, openProbe());
  const tried = cases.map((evalCase, index) => ({
    evalCase,
    expectedScore: results[index]?.at(-1)?.score ?? 0,
    slips: (slips[index] ?? []).map((slip, place) => ({
      slip,
      result: isEqualOnly(evalCase) ? FAILED : results[index]?.[place],
    })),
  }));
  const judged = cases.filter(({ scorer }) => isJudged(scorer)).length;
  const late = tried.filter(isLate).length + tooMany;
  const untried = [
    ...(judged > 0 ? [`${judged} that models judge`] : []),
    ...(late > 0 ? [`${late} for which there was no time`] : []),
  ];
  return SLIP_KINDS.flatMap((kind) => {
    const triedOfKind = tried.flatMap((one) => triedWith(kind, one));
    return slipFinding(kind, triedOfKind, untried);
  });
}

/** A scorer of traces compares what it expects with no output. */
const readsText = ({ scorer }: RuledCase, compiled: CompiledScorer | null): boolean =>
  compiled?.usesExpected === true && !readsTrace(scorer?.type ?? '');

const FAILED = { passed: false, score: 0 };

/** No slip equals what is expected: most tables are compared so, and need no score. */
function isEqualOnly({ scorer, threshold }: RuledCase): boolean {
  const isPlain = scorer?.type === 'exact_match' && !scorer.dual_sided && threshold > 0;
  const { case_sensitive = true, normalize = false } = (scorer?.config ?? {}) as Readonly<
    Record<string, unknown>
  >;
  return isPlain && case_sensitive === true && normalize === false;
}

/** For each case the name of another one, where there is another name. */
function otherNames(cases: readonly RuledCase[]): (index: number) => string | undefined {
  const ownNames = cases.map(({ expected }) => nameIn(expected));
  const names = [...new Set(ownNames.filter((name) => name !== undefined))];
  const places = new Map(names.map((name, place) => [name, place]));
  return (index) => {
    const name = names[((places.get(ownNames[index] ?? '') ?? -1) + 1) % names.length];
    return name === ownNames[index] ? undefined : name;
  };
}

interface Tried {
  readonly evalCase: RuledCase;
  readonly expectedScore: number;
  readonly slips: readonly {
    readonly slip: Slip;
    readonly result: Pick<CaseResult, 'passed' | 'score'> | undefined;
  }[];
}

const isLate = ({ slips }: Tried): boolean =>
  slips.length > 0 && slips.every(({ result }) => result === undefined);

interface TriedKind extends Pick<Tried, 'evalCase' | 'expectedScore'> {
  /** Those that pass, the best first. */
  readonly passing: readonly { readonly slip: Slip; readonly score: number }[];
}

/** None where the case has no such slip, or time ended the score. */
function triedWith(kind: SlipKind, { evalCase, expectedScore, slips }: Tried): TriedKind[] {
  const ofKind = slips.flatMap(({ slip, result }) =>
    slip.kind === kind && result !== undefined ? [{ slip, result }] : [],
  );
  if (ofKind.length === 0) return [];
  const passing = ofKind
    .filter(({ result }) => result.passed)
    .map(({ slip, result: { score } }) => ({ slip, score }))
    .toSorted((one, other) => other.score - one.score);
  return [{ evalCase, expectedScore, passing }];
}

const WRONG: Readonly<Record<SlipKind, string>> = {
  number: 'a wrong number',
  word: 'the opposite',
  name: 'a wrong name',
};

/** `untried`: which cases were not tried, and how many. */
function slipFinding(kind: SlipKind, all: readonly TriedKind[], untried: readonly string[]): BarWarning[] {
  const passing = all.filter((one) => one.passing.length > 0);
  const [first] = passing;
  const [example] = first?.passing ?? [];
  if (first === undefined || example === undefined || weightOf(passing) < SHARE_MIN * weightOf(all))
    return [];
  const { key, threshold } = first.evalCase;
  const cures = [
    ...(kind === 'number' && passing.some(mayCompareNumbers) ? ['same_numbers'] : []),
    ...thresholdAbove(passing),
  ];
  const cure =
    cures.length === 0
      ? 'compare these by a stricter scorer, or have a model judge them'
      : `set ${cures.join(', or ')}`;
  const passingOfTried = `${passing.length} of ${all.length} ${all.length === 1 ? 'case' : 'cases'}`;
  const notTried = untried.length === 0 ? '' : ` (not tried: ${untried.join(', ')})`;
  // What is below 1 is not shown as 1: a threshold of 1 stops it.
  const score = example.score < 1 ? Math.min(0.999, Math.round(example.score * 1_000) / 1_000) : 1;
  const message = `${WRONG[kind]} would pass in ${passingOfTried}${notTried}, such as ${key}: it scores ${score}, and ${threshold} is enough: ${cure}`;
  return [{ gate: 'pass_rate', code: 'SLIP_PASSES', case: key, message, example: inPlaceOf(example.slip) }];
}

const weightOf = (tried: readonly TriedKind[]): number =>
  tried.reduce((sum, { evalCase }) => sum + evalCase.weight, 0);

function mayCompareNumbers({ evalCase: { scorer } }: TriedKind): boolean {
  const config = scorer?.config as { readonly same_numbers?: boolean } | undefined;
  return scorer?.type === 'similarity' && config?.same_numbers !== true;
}

/** None where what is expected does not reach it either. */
function thresholdAbove(passing: readonly TriedKind[]): string[] {
  const least = leastAbove(
    (share) => passing.some((one) => one.passing.some(({ score }) => reaches(score, share))),
    100,
  );
  const isReached =
    least !== undefined && passing.every(({ expectedScore }) => reaches(expectedScore, least));
  return isReached ? [`their threshold to ${least}`] : [];
}

const EXCERPT_MAX = 60;
const isBlank = (character = ' '): boolean => character.trim() === '';

/** Where the two texts differ, with the word behind. */
function inPlaceOf({ texts }: Slip): string {
  const [slipped, expected] = texts;
  let from = 0;
  while (from < expected.length && slipped[from] === expected[from]) from++;
  let start = from;
  while (start > 0 && !isBlank(expected[start - 1])) start--;
  let behind = 0;
  while (
    behind < Math.min(slipped.length, expected.length) - from &&
    slipped.at(-1 - behind) === expected.at(-1 - behind)
  )
    behind++;
  const excerpt = (text: string): string => {
    const end = text.length - behind;
    const [rest = ''] = /^\S*(?:\s+\S+)?/.exec(text.slice(end)) ?? [];
    return quote(text.slice(start, end) + rest, EXCERPT_MAX);
  };
  return `${excerpt(slipped)} in place of ${excerpt(expected)}`;
}
