import type { Provider } from '../../../contracts/base/providers.ts';
import type { Scorer } from '../../../contracts/scorers.ts';
import type { CaseRules } from '../gates/rules.ts';

/** A scorer as runs use it. */
export type RunScorer = Pick<
  Scorer,
  'id' | 'type' | 'config' | 'dual_sided' | 'precision_threshold' | 'recall_threshold'
>;

/** A case as a run scores it. */
export interface PlannedCase extends CaseRules {
  readonly id: string;
  readonly name: string;
  /** Empty for cases that no model judges. */
  readonly input: Record<string, unknown>;
  /** Null for cases whose scorers do not read it. */
  readonly expected: unknown;
  readonly threshold: number;
  readonly weight: number;
  /** Null for a deleted one. */
  readonly scorer: RunScorer | null;
}

/** The chunks with cases that a model of the provider judges. */
export type Judges = Readonly<Partial<Record<Provider, readonly number[]>>>;
