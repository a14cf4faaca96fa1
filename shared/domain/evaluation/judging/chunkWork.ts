import type { ChunkMessage } from '../../messages.ts';
import type { ChunkPlan, Evaluation } from '../evaluation.ts';
import type { Seat } from '../slots/seats.ts';

/** A chunk of a planned run, as an invocation of the evaluator evaluates it. */
export interface ChunkWork {
  readonly evaluation: Evaluation;
  readonly plan: ChunkPlan;
  readonly message: ChunkMessage;
  /** Whether all other chunks of the run have ended. */
  readonly isLast: boolean;
  /** Undefined: no judge is called. */
  readonly seat: Seat | undefined;
  /** When the invocation began, which ends after 15 minutes. */
  readonly startedAtMs: number;
}
