import type { GateStatus, Gates, VerdictDetail } from '../../../contracts/gates.ts';
import type { Evidence } from '../confidence.ts';
import { type GatedCase, type Gating, hasVerdict } from '../gating.ts';
import type { GateResult, StatusLetter } from '../kept.ts';
import type { Effect } from '../strictness.ts';
import { floorOf } from '../tolerance.ts';
import type { RateVerdict } from '../verdict.ts';
import type { Share } from '../weights.ts';

export type GateAnswer = VerdictDetail['gates'][number];

/** A gate on a share of weights, or on the evidence for it. */
export interface ShareGate {
  /** Heaviest first. */
  readonly cases: readonly GatedCase[];
  /** How many of the cases need a verdict. */
  readonly minJudged: number;
  /** The least share, where it is known. */
  readonly floor?: number;
  /** Left out: only the evidence counts. */
  readonly holds?: (passed: Share) => boolean;
}

/** What a gate that stands before and after a push needs of its cases. */
interface Demand {
  /** The cases with this tag; left out: all. */
  readonly tag?: string;
  /** The least pass rates of a tag. */
  readonly rates?: { readonly before: number; readonly after: number };
  readonly minJudged?: number;
  /** Whether each case that joins or changes its weight may open the gate. */
  readonly movesWithWeights?: boolean;
}

/** All that is known of a gate beside its field in the contract. */
export interface Gate<Result extends GateResult = GateResult> {
  /** By it stored results name the gate. */
  readonly kind: Result[0];
  /** It compares a run with a baseline. */
  readonly isRelative?: true;
  /** `verdict`: by the pass rate, with errored cases as failed. Empty where the suite has no such gate. */
  results(gating: Gating, verdict: RateVerdict): Result[];
  answer(result: Result, evidence: Evidence): GateAnswer;
  /** Cases of which each has to pass. */
  requiredCases?(gating: Gating): readonly GatedCase[];
  shares(gating: Gating): readonly ShareGate[];
  /** Of a push that changes the gate itself. */
  effect(before: Gates, after: Gates): Effect;
  demands(before: Gates, after: Gates): readonly Demand[];
}

const STATUS = { p: 'passed', f: 'failed', i: 'inconclusive' } as const satisfies Record<
  StatusLetter,
  GateStatus
>;

export const statusOf = (letter: StatusLetter): Pick<GateAnswer, 'status' | 'reason'> => ({
  status: STATUS[letter],
  ...(letter === 'i' && { reason: 'it depends on cases that ended in an error' }),
});

export function statusLetter({ status, dependsOnErrored }: RateVerdict): StatusLetter {
  if (status === 'cleared') return 'p';
  return dependsOnErrored ? 'i' : 'f';
}

export const countJudged = (cases: readonly GatedCase[]): number => cases.filter(hasVerdict).length;

export function tooFewJudged(judged: number, needed: number): Pick<GateAnswer, 'reason'> {
  if (judged >= needed) return {};
  const [cases, have] = [needed === 1 ? 'case' : 'cases', judged === 1 ? 'has' : 'have'];
  return { reason: `${judged} of ${needed} ${cases} needed ${have} a verdict` };
}

export const reaching = (bar: number): Pick<ShareGate, 'floor' | 'holds'> => ({
  floor: floorOf(bar),
  holds: (passed) => passed.reaches(bar),
});
