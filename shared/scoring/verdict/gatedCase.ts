import type { Fault, Gates } from '../../contracts/gates.ts';
import type { JudgedOutcome } from './baseline/baseline.ts';

/** A case as the gates see it: of passed, errored and missing at most one is true, else it failed. */
export interface GatedCase {
  readonly id: string;
  readonly key: string;
  readonly weight: number;
  readonly passed: boolean;
  readonly errored: boolean;
  /** Of an errored case: whose doing it is. */
  readonly fault?: Fault | undefined;
  readonly missing: boolean;
  readonly mustPass: boolean;
  readonly tags: readonly string[];
  /** Scored, but outside every gate. */
  readonly advisory: boolean;
  /** Only of a case that models judge. */
  readonly judged?: JudgedOutcome | undefined;
}

/** What the gates of a suite require: its pass threshold is the gate `pass_rate`. */
export interface GateSettings {
  readonly passThreshold: number;
  readonly gates: Gates;
}
