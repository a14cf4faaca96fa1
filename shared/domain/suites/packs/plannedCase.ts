import type { Scorer } from '../../../contracts/scorers.ts';
import type { Provider } from '../../byok/providers.ts';
import type { CaseDocuments, CaseRules } from '../bar/rules.ts';

/** A case as a run scores it. */
export interface PlannedCase extends CaseRules {
  readonly id: string;
  readonly name: string;
  /** Empty for cases that no model judges. */
  readonly input: Record<string, unknown>;
  readonly expected: unknown;
  readonly threshold: number;
  readonly weight: number;
  readonly scorer: Scorer | null;
}

/** As it was read from the suite, not from a pack. */
export type ReadCase = PlannedCase & CaseDocuments;

export type Judges = Readonly<Partial<Record<Provider, readonly number[]>>>;
