import { gatesFrom, momentsOf, type Pair, spanOf } from './gating.ts';
import { keepsRate, passAtLeast, type Weighed } from './proof.ts';
import type { SuiteFields, WholeDefinition } from './types.ts';

/** Advisories may end at as many times; with more of them nothing is certain. */
const MOMENTS_MAX = 16;

/**
 * How many cases are weighed for a plan, in all gates at all moments together: with more of them nothing is certain. A
 * suite of 10,000 cases has 160,000 with the most moments and no gate of a tag.
 */
const WEIGHED_MAX = 300_000;

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
  /** Whether the bound below the pass rate is held to a bar. */
  readonly hasBound: boolean;
}

/** Gates that were there. What is lowered or left out is weaker by itself, and not looked at here. */
function groupsOf(before: SuiteFields, after: SuiteFields, pairs: readonly Pair[]): Group[] {
  const { min_judged_cases: judged = 0, min_lower_bound: bound, tags = [] } = before.gates;
  const kept = new Map(after.gates.tags?.map((gate) => [gate.tag, gate]));
  const all: Group = {
    members: pairs.map((pair) => ({ ...pair, pair })),
    rates: { before: before.pass_threshold, after: after.pass_threshold },
    judged: Math.min(judged, after.gates.min_judged_cases ?? 0),
    hasBound: bound !== undefined && after.gates.min_lower_bound !== undefined,
  };
  const tagged = taggedMembers(pairs, [...kept.keys()]);
  const ofTags = tags.flatMap((gate): Group[] => {
    const now = kept.get(gate.tag);
    if (now === undefined) return [];
    return [
      {
        members: tagged.get(gate.tag) ?? [],
        rates: { before: gate.pass_threshold, after: now.pass_threshold },
        judged: Math.min(gate.min_judged_cases, now.min_judged_cases),
        hasBound: false,
      },
    ];
  });
  return [all, ...ofTags];
}

/** Each case is looked at once, however many gates there are. */
function taggedMembers(pairs: readonly Pair[], tags: readonly string[]): Map<string, Member[]> {
  const members = new Map<string, Member[]>(tags.map((tag) => [tag, []]));
  if (tags.length === 0) return members;
  for (const pair of pairs) {
    const [before, after] = [new Set(pair.before?.tags), new Set(pair.after?.tags)];
    for (const tag of new Set([...before, ...after])) {
      members.get(tag)?.push({
        ...{ key: pair.key, pair },
        before: before.has(tag) ? pair.before : undefined,
        after: after.has(tag) ? pair.after : undefined,
      });
    }
  }
  return members;
}

interface Sides {
  readonly before: WholeDefinition;
  readonly after: WholeDefinition;
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
  const weighed = suspected.reduce((sum, { group }) => sum + group.members.length * moments.length, 0);
  const unproven = new Set<string>();
  for (const { group, suspects } of suspected) {
    const isCertain =
      moments.length <= MOMENTS_MAX &&
      weighed <= WEIGHED_MAX &&
      moments.every((moment) => isProven(group, weighedAt(group, { nowMs, moment }), suspects));
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

function isProven(group: Group, cases: readonly Weighed[], { moved, unsure }: Suspects): boolean {
  if (moved.length > 0 && (group.hasBound || !keepsRate(cases, group.rates))) return false;
  const hasMore = cases.some(({ before, after }) => before === undefined && after !== undefined);
  if (group.judged === 0 || (!hasMore && unsure.length === 0)) return true;
  return passAtLeast(cases, group.rates.after) >= group.judged;
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

function weighedAt(
  { members }: Group,
  { nowMs, moment }: { readonly nowMs: number; readonly moment: number },
): Weighed[] {
  const weightOf = (one: Member['before']): number | undefined =>
    one !== undefined && gatesFrom(one, nowMs) <= moment ? one.weight : undefined;
  return members.map(({ key, before, after }) => ({
    key,
    before: weightOf(before),
    after: weightOf(after),
  }));
}
