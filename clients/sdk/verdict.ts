import type { Run, RunResult, RunVerdict } from './generated/types.ts';

export type Failure = RunVerdict['failures'][number];

/** What the two answers about a run have in common. */
type Figures = Pick<Run, keyof Run & keyof RunVerdict>;

/** A run as it was when the wait ended. */
export interface Outcome extends Figures {
  /** Whether the gate is open; false for a run that is still pending. */
  readonly passed: boolean;
  /** The gating cases that failed. */
  readonly failures: readonly Failure[];
  /** False where there are more failures than these: they could not be read, or are hidden. */
  readonly failures_complete: boolean;
  /** Throws `GateNotCleared` unless the run is cleared. */
  assertCleared(): void;
}

const NAMED_MAX = 5;

/** The gate is not open: the run is aborted, or still pending. */
export class GateNotCleared extends Error {
  override readonly name = 'GateNotCleared';
  readonly run: Outcome;

  constructor(run: Outcome) {
    const { id, status, pass_rate, failures } = run;
    const named = failures.slice(0, NAMED_MAX).map(({ case: name, reason }) => `\n- ${name}: ${reason}`);
    super(`Run ${id} is ${status} (pass rate ${pass_rate})${named.join('')}`);
    this.run = run;
  }
}

export function outcomeOf(figures: Figures, failures: readonly Failure[]): Outcome {
  return {
    ...figures,
    passed: figures.status === 'cleared',
    failures,
    failures_complete: failures.length >= figures.failed_cases,
    assertCleared() {
      if (this.status !== 'cleared') throw new GateNotCleared(this);
    },
  };
}

/** A result, with more fields than in the answer of a run without a wait. */
export const failureOf = (result: RunResult): Failure => ({ ...result, case: result.case_name });
