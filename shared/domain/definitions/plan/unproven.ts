import { gates } from '../../../scoring/verdict/gates/registry.ts';
import { membersByTag } from '../../../scoring/verdict/gates/tags.ts';
import { type Pair, spanOf } from './gating.ts';
import type { CompleteDefinition, SuiteFields } from './types.ts';

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
  const unproven = new Set<string>();
  for (const group of groupsOf(sides.before.suite, sides.after.suite, pairs)) {
    const moved = group.members.filter((member) => isMoved(member, nowMs));
    const turning = group.members.filter(
      ({ pair, after }) => group.judged > 0 && after !== undefined && mayTurn(pair, isRescored),
    );
    const suspects = [...moved, ...turning];
    if (suspects.length === 0 || isProven(group, { moved, turning, nowMs })) continue;
    for (const { key } of suspects) unproven.add(key);
  }
  return unproven;
}

interface Suspects {
  readonly moved: readonly Member[];
  /** Cases that may have a verdict where they had none. */
  readonly turning: readonly Member[];
  readonly nowMs: number;
}

/** Two things are certain: where all have to pass, more cases hold up no less; and so do the same ones of equal weight. */
function isProven(group: Group, { moved, turning, nowMs }: Suspects): boolean {
  const { members, rates, judged, movesWithWeights } = group;
  const spans = members.map((member) => ({ member, ...spanOf(member, nowMs) }));
  const counting = spans.filter(({ after }) => Number.isFinite(after));
  // Without a case that counts no gate passes.
  if (counting.length === 0) return true;
  const always = counting.filter(({ before, after }) => before === 0 && after === 0).length;
  const weightsOf = (side: 'before' | 'after') => counting.map(({ member }) => member[side]?.weight ?? 0);
  const mustAllPass = rates.after >= 1 && always > 0 && weightsOf('after').every((weight) => weight > 0);
  const areTheSame = spans.every(({ before, after }) => before === after);
  const areEqual = areTheSame && hasOneWeight(weightsOf('before')) && hasOneWeight(weightsOf('after'));
  if (moved.length > 0 && (movesWithWeights || !(mustAllPass || areEqual))) return false;
  const mayHaveMore = turning.length > 0 || !areTheSame;
  return judged === 0 || !mayHaveMore || (mustAllPass && always >= judged);
}

const hasOneWeight = ([first = 0, ...otherWeights]: readonly number[]): boolean =>
  first > 0 && otherWeights.every((weight) => weight === first);

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
