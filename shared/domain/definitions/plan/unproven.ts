import { gatesFrom, momentsOf, type Pair, spanOf } from './gating.ts';
import { keepsRate, passAtLeast, type Weighed } from './proof.ts';
import type { SuiteFields, WholeDefinition } from './types.ts';

/** Advisories may end at as many times; with more of them nothing is certain. */
const MOMENTS_MAX = 16;

/** One gate's cases and bars. */
interface Group {
  readonly isIn: (tags: readonly string[]) => boolean;
  readonly rates: { readonly before: number; readonly after: number };
  /** How many cases need a verdict; 0 for none. */
  readonly judged: number;
  /** Whether the bound below the pass rate is held to a bar. */
  readonly hasBound: boolean;
}

/** Gates that were there. What is lowered or left out is weaker by itself, and not looked at here. */
function groupsOf(before: SuiteFields, after: SuiteFields): Group[] {
  const { min_judged_cases: judged = 0, min_lower_bound: bound, tags = [] } = before.gates;
  const kept = new Map(after.gates.tags?.map((gate) => [gate.tag, gate]));
  const all: Group = {
    isIn: () => true,
    rates: { before: before.pass_threshold, after: after.pass_threshold },
    judged: Math.min(judged, after.gates.min_judged_cases ?? 0),
    hasBound: bound !== undefined && after.gates.min_lower_bound !== undefined,
  };
  const tagged = tags.flatMap((gate): Group[] => {
    const now = kept.get(gate.tag);
    if (now === undefined) return [];
    return [
      {
        isIn: (names) => names.includes(gate.tag),
        rates: { before: gate.pass_threshold, after: now.pass_threshold },
        judged: Math.min(gate.min_judged_cases, now.min_judged_cases),
        hasBound: false,
      },
    ];
  });
  return [all, ...tagged];
}

interface Sides {
  readonly before: WholeDefinition;
  readonly after: WholeDefinition;
}

/** The keys of cases whose changes may let a gate pass that did not. */
export function unprovenCases(
  sides: Sides,
  pairs: readonly Pair[],
  { nowMs, isRescored }: { readonly nowMs: number; readonly isRescored: (pair: Pair) => boolean },
): ReadonlySet<string> {
  const moments = momentsOf(pairs, nowMs);
  const unproven = new Set<string>();
  for (const group of groupsOf(sides.before.suite, sides.after.suite)) {
    const moved = pairs.filter((pair) => isMoved(pair, group, nowMs));
    const unsure = pairs.filter((pair) => mayTurn(pair, group, isRescored));
    if (moved.length + unsure.length === 0) continue;
    const isCertain =
      moments.length <= MOMENTS_MAX &&
      moments.every((moment) =>
        isProven(group, weighedAt(pairs, { group, nowMs, moment }), { moved, unsure }),
      );
    if (!isCertain) for (const { key } of [...moved, ...unsure]) unproven.add(key);
  }
  return unproven;
}

interface Suspects {
  readonly moved: readonly Pair[];
  readonly unsure: readonly Pair[];
}

function isProven(group: Group, cases: readonly Weighed[], { moved, unsure }: Suspects): boolean {
  if (moved.length > 0 && (group.hasBound || !keepsRate(cases, group.rates))) return false;
  const hasMore = cases.some(({ before, after }) => before === undefined && after !== undefined);
  if (group.judged === 0 || (!hasMore && unsure.length === 0)) return true;
  return passAtLeast(cases, group.rates.after) >= group.judged;
}

/** Whether the case comes into the group, or counts for more or less in it. */
function isMoved({ key, before, after }: Pair, { isIn }: Group, nowMs: number): boolean {
  if (after === undefined || !isIn(after.tags)) return false;
  const span = spanOf({ key, before, after }, nowMs);
  if (!Number.isFinite(span.after)) return false;
  return (
    before === undefined || !isIn(before.tags) || span.after < span.before || before.weight !== after.weight
  );
}

/** Of several outputs, a case that was errored may have failed otherwise, and then has a verdict. */
const mayTurn = (
  { key, before, after }: Pair,
  { isIn, judged }: Group,
  isRescored: (pair: Pair) => boolean,
) =>
  judged > 0 &&
  before !== undefined &&
  after !== undefined &&
  isIn(after.tags) &&
  Math.max(before.sample_count, after.sample_count) > 1 &&
  isRescored({ key, before, after });

function weighedAt(
  pairs: readonly Pair[],
  {
    group: { isIn },
    nowMs,
    moment,
  }: { readonly group: Group; readonly nowMs: number; readonly moment: number },
): Weighed[] {
  const weightOf = (one: Pair['before']): number | undefined =>
    one !== undefined && isIn(one.tags) && gatesFrom(one, nowMs) <= moment ? one.weight : undefined;
  return pairs.map(({ key, before, after }) => ({ key, before: weightOf(before), after: weightOf(after) }));
}
