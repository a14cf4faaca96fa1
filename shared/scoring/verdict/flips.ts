import { reaching, type ShareGate } from './gates/gate.ts';
import { gates } from './gates/registry.ts';
import { type GatedCase, type Gating, hasVerdict } from './gating.ts';
import { Turning } from './turning.ts';

export interface Flips {
  readonly cases: readonly GatedCase[];
  /** No smaller set flips the run. */
  readonly exact: boolean;
}

/** The cases that have to change for the run to have the other status; null where no number of them does it. */
export function flipsOf(gating: Gating, cleared: boolean): Flips | null {
  return cleared ? flipsToAborted(gating) : flipsToCleared(gating);
}

/** Gates over a part of the cases come first. */
function shareGates(gating: Gating): ShareGate[] {
  const { heaviestFirst, settings } = gating;
  const shares = gates.flatMap((gate) => gate.shares(gating));
  const rate: ShareGate = { cases: heaviestFirst, minJudged: 0, ...reaching(settings.passThreshold) };
  return [
    ...shares.filter((gate) => isPartial(gate, gating)),
    ...shares.filter((gate) => !isPartial(gate, gating)),
    rate,
  ];
}

const isPartial = ({ cases }: ShareGate, { heaviestFirst }: Gating): boolean => cases !== heaviestFirst;

const requiredCases = (gating: Gating): GatedCase[] =>
  gates.flatMap((gate) => gate.requiredCases?.(gating) ?? []);

/** The fewest over the gates: a failed case leaves as much evidence as before. */
function flipsToAborted(gating: Gating): Flips | null {
  const [required] = requiredCases(gating);
  if (required !== undefined) return { cases: [required], exact: true };
  let fewest: readonly GatedCase[] | undefined;
  for (const { cases, floor, holds } of shareGates(gating)) {
    if (holds === undefined) continue;
    const turning = new Turning(cases, ({ passed }) => passed, false);
    fewest = turning.fewest((share) => !holds(share), floor, fewest && fewest.length - 1) ?? fewest;
  }
  return fewest ? { cases: fewest, exact: true } : null;
}

/**
 * Every required case, then for each gate the heaviest cases until it holds. Where gates share no case, the heaviest
 * ones of each are as good for all the others, too.
 */
function flipsToCleared(gating: Gating): Flips | null {
  const turned = new Set(requiredCases(gating).filter(({ passed }) => !passed));
  const needed = Math.max(1, turned.size);
  const shares = shareGates(gating);
  let isGreedy = shareNoOpenCase(shares.filter((gate) => isPartial(gate, gating)));
  for (const gate of shares) {
    const evidence = evidenceFor(gate, turned);
    if (evidence === undefined) return null;
    if (evidence.length > 0) isGreedy = false;
    for (const one of evidence) turned.add(one);
    const fewest = fewestToHold(gate, turned);
    if (fewest === undefined) return null;
    for (const one of fewest) turned.add(one);
  }
  return { cases: [...turned], exact: isGreedy || turned.size <= needed };
}

/** The fewest cases that have to pass beside those that turn already; undefined where no number of them is enough. */
function fewestToHold({ cases, floor, holds }: ShareGate, turned: ReadonlySet<GatedCase>) {
  if (holds === undefined) return [];
  return new Turning(cases, (one) => !one.passed && !turned.has(one), true).fewest(holds, floor);
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

function shareNoOpenCase(shares: readonly ShareGate[]): boolean {
  const seen = new Set<GatedCase>();
  for (const { cases } of shares) {
    for (const gatedCase of cases) {
      if (gatedCase.passed) continue;
      if (seen.has(gatedCase)) return false;
      seen.add(gatedCase);
    }
  }
  return true;
}
