import { gates } from '../../../scoring/verdict/gates/registry.ts';
import { membersByTag } from '../../../scoring/verdict/gates/tags.ts';
import { Weights } from '../../../scoring/verdict/weights.ts';
import { gatesFrom, momentsOf, type Pair, spanOf } from './gating.ts';
import type { CompleteDefinition, SuiteFields } from './types.ts';

/** Advisories may end at as many times; with more of them nothing is certain. */
const MOMENTS_MAX = 16;

/** A pair as a gate sees it: undefined on a side where the case is outside of it. */
interface Member extends Pick<Pair, 'key' | 'before' | 'after'> {
  readonly pair: Pair;
}

/** One gate's cases and bars. */
interface Group {
  readonly members: readonly Member[];
  readonly rates: { readonly before: number; readonly after: number };
  /** How many cases need a verdict; 0 for none. */
  readonly judged: number;
  readonly movesWithWeights: boolean;
}

/** Gates that were there. What is lowered or left out is weaker by itself, and not looked at here. */
function groupsOf(before: SuiteFields, after: SuiteFields, pairs: readonly Pair[]): Group[] {
  const demands = gates.flatMap((gate) => gate.demands(before.gates, after.gates));
  const ofAll = demands.filter(({ tag }) => tag === undefined);
  const all: Group = {
    members: pairs.map((pair) => ({ ...pair, pair })),
    rates: { before: before.pass_threshold, after: after.pass_threshold },
    judged: Math.max(0, ...ofAll.map(({ minJudged = 0 }) => minJudged)),
    movesWithWeights: ofAll.some((demand) => demand.movesWithWeights),
  };
  const tags = demands.flatMap(({ tag }) => tag ?? []);
  const tagged = membersByTag(tags, pairs, (pair) => sidesOf(pair).flatMap((side) => side?.tags ?? []));
  const ofTags = demands.flatMap(
    ({ tag, rates = all.rates, minJudged: judged = 0, movesWithWeights = false }): Group[] => {
      if (tag === undefined) return [];
      const members = (tagged.get(tag) ?? []).map((pair): Member => {
        const [before, after] = sidesOf(pair).map((side) => (side?.tags.includes(tag) ? side : undefined));
        return { key: pair.key, pair, before, after };
      });
      return [{ members, rates, judged, movesWithWeights }];
    },
  );
  return [all, ...ofTags];
}

const sidesOf = ({ before, after }: Pair) => [before, after];

interface Sides {
  readonly before: CompleteDefinition;
  readonly after: CompleteDefinition;
}

interface Asked {
  readonly nowMs: number;
  readonly isRescored: (pair: Pair) => boolean;
}

/** The keys of cases whose changes may let a gate pass that did not. */
export function unprovenCases(
  sides: Sides,
  pairs: readonly Pair[],
  { nowMs, isRescored }: Asked,
): ReadonlySet<string> {
  const moments = momentsOf(pairs, nowMs);
  const suspected = groupsOf(sides.before.suite, sides.after.suite, pairs)
    .map((group) => ({ group, suspects: suspectsOf(group, { nowMs, isRescored }) }))
    .filter(({ suspects }) => suspects.moved.length + suspects.unsure.length > 0);
  const unproven = new Set<string>();
  for (const { group, suspects } of suspected) {
    const isCertain =
      moments.length <= MOMENTS_MAX &&
      moments.every((moment) => isProven(group, countingAt(group, { nowMs, moment }), suspects));
    if (!isCertain) for (const { key } of [...suspects.moved, ...suspects.unsure]) unproven.add(key);
  }
  return unproven;
}

interface Suspects {
  readonly moved: readonly Member[];
  readonly unsure: readonly Member[];
}

const suspectsOf = ({ members, judged }: Group, { nowMs, isRescored }: Asked): Suspects => ({
  moved: members.filter((member) => isMoved(member, nowMs)),
  unsure:
    judged > 0 ? members.filter(({ pair, after }) => after !== undefined && mayTurn(pair, isRescored)) : [],
});

function isProven(group: Group, { before, after }: Counting, { moved, unsure }: Suspects): boolean {
  // Without a case that counts no gate passes.
  if (after.length === 0) return true;
  const { rates, judged, movesWithWeights } = group;
  const failing = mayFail(after, rates.after);
  const isKept = failing !== undefined && keepsRate(before, failing, rates);
  if (moved.length > 0 && (movesWithWeights || !isKept)) return false;
  const mayHaveMore = after.length > before.length || unsure.length > 0;
  return judged === 0 || !mayHaveMore || (failing !== undefined && before.length - failing >= judged);
}

const areEqual = (weights: readonly number[]): boolean => weights.every((weight) => weight === weights[0]);

/** How many of the cases may fail at most. Undefined where that depends on which: their weights differ. */
function mayFail(weights: readonly number[], bar: number): number | undefined {
  if (bar >= 1 && weights.every((weight) => weight > 0)) return 0;
  if (!areEqual(weights)) return undefined;
  let failing = Math.min(weights.length, Math.floor(weights.length * (1 - bar)) + 1);
  while (failing > 0 && !reaches(weights.length - failing, failing, bar)) failing--;
  return failing;
}

/** Whether the verdict itself would say that the bar is reached. */
function reaches(passed: number, failed: number, bar: number): boolean {
  const results = [
    { passed: true, errored: false, weight: passed },
    { passed: false, errored: false, weight: failed },
  ];
  return new Weights(results).shareOf((result) => result.passed).reaches(bar);
}

/** Whether the cases that count before and after reach their former bar although so many of them fail. */
function keepsRate(before: readonly number[], failing: number, rates: Group['rates']): boolean {
  if (before.length === 0) return false;
  if (failing === 0) return true;
  const failed = Math.min(before.length, failing);
  return areEqual(before) && reaches(before.length - failed, failed, Math.min(rates.before, rates.after));
}

/** Whether the case comes into the group, or counts for more or less in it. */
function isMoved({ key, before, after }: Member, nowMs: number): boolean {
  if (after === undefined) return false;
  const span = spanOf({ key, before, after }, nowMs);
  if (!Number.isFinite(span.after)) return false;
  return before === undefined || span.after < span.before || before.weight !== after.weight;
}

/** Of several outputs, a case that was errored may have failed otherwise, and then has a verdict. */
const mayTurn = ({ key, before, after }: Pair, isRescored: Asked['isRescored']): boolean =>
  before !== undefined &&
  after !== undefined &&
  Math.max(before.sample_count, after.sample_count) > 1 &&
  isRescored({ key, before, after });

/** Weights of the cases that count at a moment after the push, and, of those of them that count before it, before. */
interface Counting {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

function countingAt({ members }: Group, at: { readonly nowMs: number; readonly moment: number }): Counting {
  const counts = (one: Member['before']): one is NonNullable<Member['before']> =>
    one !== undefined && gatesFrom(one, at.nowMs) <= at.moment;
  const [before, after]: [number[], number[]] = [[], []];
  for (const member of members) {
    if (!counts(member.after)) continue;
    after.push(member.after.weight);
    if (counts(member.before)) before.push(member.before.weight);
  }
  return { before, after };
}
