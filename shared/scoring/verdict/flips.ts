import { wilson } from './confidence.ts';
import { type GatedCase, type Gating, hasVerdict } from './gating.ts';
import { floorOf } from './tolerance.ts';
import { Turning } from './turning.ts';
import { passRate } from './verdict.ts';
import type { Share } from './weights.ts';

export interface Flips {
  readonly cases: readonly GatedCase[];
  /** No smaller set flips the run. */
  readonly exact: boolean;
}

/** A gate on a share of weights, and the evidence that it needs. */
interface ShareGate {
  /** Heaviest first. */
  readonly cases: readonly GatedCase[];
  readonly minJudged: number;
  /** The least share, where it is known. */
  readonly floor?: number;
  holds(passed: Share): boolean;
}

/** The cases that have to change for the run to have the other status; null where no number of them does it. */
export function flipsOf(gating: Gating, cleared: boolean): Flips | null {
  return cleared ? flipsToAborted(gating) : flipsToCleared(gating);
}

function* shareGates({ heaviestFirst, tagged, bar, effectiveCases }: Gating): Iterable<ShareGate> {
  for (const { gate, cases } of tagged) {
    yield { cases, minJudged: gate.min_judged_cases, ...reaching(gate.pass_threshold) };
  }
  const { min_judged_cases: minJudged = 0, min_lower_bound: leastLower } = bar.gates;
  yield { cases: heaviestFirst, minJudged, ...reaching(bar.passThreshold) };
  if (leastLower === undefined) return;
  const rateOf = (passed: Share) =>
    passRate(passed.value, bar.passThreshold, passed.reaches(bar.passThreshold));
  yield {
    cases: heaviestFirst,
    minJudged: 0,
    holds: (passed) => wilson(rateOf(passed), effectiveCases).lower >= leastLower,
  };
}

const reaching = (bar: number): Pick<ShareGate, 'floor' | 'holds'> => ({
  floor: floorOf(bar),
  holds: (passed) => passed.reaches(bar),
});

/** The fewest over the gates: a failed case leaves as much evidence as before. */
function flipsToAborted(gating: Gating): Flips | null {
  const mustPass = gating.heaviestFirst.find((one) => one.mustPass);
  if (mustPass !== undefined) return { cases: [mustPass], exact: true };
  let fewest: readonly GatedCase[] | undefined;
  for (const { cases, floor, holds } of shareGates(gating)) {
    const turning = new Turning(cases, ({ passed }) => passed, false);
    fewest = turning.fewest((share) => !holds(share), floor, fewest && fewest.length - 1) ?? fewest;
  }
  return fewest ? { cases: fewest, exact: true } : null;
}

/**
 * Every must-pass case, then for each gate the heaviest cases until it holds. Where gates share no case, the heaviest
 * ones of each are as good for all the others, too.
 */
function flipsToCleared(gating: Gating): Flips | null {
  const turned = new Set(gating.heaviestFirst.filter(({ mustPass, passed }) => mustPass && !passed));
  const needed = Math.max(1, turned.size);
  let isGreedy = gatesShareNoOpenCase(gating);
  for (const gate of shareGates(gating)) {
    const evidence = evidenceFor(gate, turned);
    if (evidence === undefined) return null;
    if (evidence.length > 0) isGreedy = false;
    for (const one of evidence) turned.add(one);
    const turning = new Turning(gate.cases, (one) => !one.passed && !turned.has(one), true);
    const fewest = turning.fewest(gate.holds, gate.floor);
    if (fewest === undefined) return null;
    for (const one of fewest) turned.add(one);
  }
  return { cases: [...turned], exact: isGreedy || turned.size <= needed };
}

/** The heaviest cases without a verdict that have to get one; undefined where there are too few. */
function evidenceFor(
  { cases, minJudged }: ShareGate,
  turned: ReadonlySet<GatedCase>,
): readonly GatedCase[] | undefined {
  const open = cases.filter((one) => !hasVerdict(one) && !turned.has(one));
  const lacking = Math.max(0, minJudged - (cases.length - open.length));
  return lacking > open.length ? undefined : open.slice(0, lacking);
}

function gatesShareNoOpenCase({ tagged }: Gating): boolean {
  const seen = new Set<GatedCase>();
  for (const { cases } of tagged) {
    for (const one of cases) {
      if (one.passed) continue;
      if (seen.has(one)) return false;
      seen.add(one);
    }
  }
  return true;
}
