/** What a run keeps of its verdict beside its figures, as short as JSON can be: every run stores it. */

/** Passed, failed, inconclusive. */
export type StatusLetter = 'p' | 'f' | 'i';

/**
 * The kind of gate, its status and what its answer is made of. The kind `rate` is `pass_rate`, only where it is
 * inconclusive: else it follows from the figures.
 */
export type GateResult = readonly [kind: string, StatusLetter, ...figures: readonly (string | number)[]];

export interface KeptVerdict {
  readonly effectiveCases: number;
  readonly flips: readonly [cases: number, exact: 0 | 1, ...caseIds: string[]] | null;
  readonly gates: readonly GateResult[];
}

/** Of cases that a verdict names. */
export const NAMED_CASES_MAX = 20;
