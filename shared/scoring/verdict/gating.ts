import type { JudgeProof } from '../judging/proof.ts';
import type { Against } from './baseline/baseline.ts';
import type { Compared } from './baseline/compared.ts';
import { comparedWith } from './baseline/loaded.ts';
import { effectiveCases } from './confidence.ts';
import type { GatedCase, GateSettings } from './gatedCase.ts';

export type { GatedCase, GateSettings } from './gatedCase.ts';

/** The cases that count, and what the gates require of them. */
export interface Gating {
  readonly settings: GateSettings;
  /** As given. */
  readonly cases: readonly GatedCase[];
  readonly heaviestFirst: readonly GatedCase[];
  readonly effectiveCases: number;
  /** Undefined without a baseline. */
  readonly compared: Compared | undefined;
  /** Undefined where no model judges, and where that is not known. */
  readonly judges: JudgeProof | undefined;
}

export function gatingOf(
  cases: readonly GatedCase[],
  settings: GateSettings,
  against?: Against,
  judges?: JudgeProof,
): Gating {
  const all = cases.map(inOneState);
  const gating = all.filter(({ advisory }) => !advisory);
  const heaviestFirst = gating.toSorted((one, other) => other.weight - one.weight);
  return {
    settings,
    cases: gating,
    heaviestFirst,
    effectiveCases: effectiveCases(gating.map(({ weight }) => weight)),
    compared: against && comparedWith(all, settings, against),
    judges,
  };
}

/** A missing case never passes and is no error; an errored one never passes. */
export function inOneState(gatedCase: GatedCase): GatedCase {
  const { passed, errored, missing } = gatedCase;
  if (Number(passed) + Number(errored) + Number(missing) <= 1) return gatedCase;
  return { ...gatedCase, passed: false, errored: errored && !missing };
}

export const hasVerdict = ({ errored, missing }: GatedCase): boolean => !errored && !missing;
