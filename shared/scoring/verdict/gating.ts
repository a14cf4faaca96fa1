import type { Fault, Gates } from '../../contracts/gates.ts';
import { effectiveCases } from './confidence.ts';
import type { Against, JudgedOutcome } from './relative/baseline.ts';
import { Compared } from './relative/compared.ts';

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

export interface Bar {
  readonly passThreshold: number;
  readonly gates: Gates;
}

/** The cases that count, and the bar that they are held to. */
export interface Gating {
  readonly bar: Bar;
  /** As given. */
  readonly cases: readonly GatedCase[];
  readonly heaviestFirst: readonly GatedCase[];
  readonly effectiveCases: number;
  /** Undefined without a baseline. */
  readonly compared: Compared | undefined;
}

export function gatingOf(cases: readonly GatedCase[], bar: Bar, against?: Against): Gating {
  const all = cases.map(inOneState);
  const gating = all.filter(({ advisory }) => !advisory);
  const heaviestFirst = gating.toSorted((one, other) => other.weight - one.weight);
  return {
    bar,
    cases: gating,
    heaviestFirst,
    effectiveCases: effectiveCases(gating.map(({ weight }) => weight)),
    compared: against && new Compared(all, bar, against),
  };
}

/** A missing case never passes and is no error; an errored one never passes. */
export function inOneState(one: GatedCase): GatedCase {
  const { passed, errored, missing } = one;
  if (Number(passed) + Number(errored) + Number(missing) <= 1) return one;
  return { ...one, passed: false, errored: errored && !missing };
}

export const hasVerdict = ({ errored, missing }: GatedCase): boolean => !errored && !missing;
