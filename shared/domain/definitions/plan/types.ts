import type { EvalCase } from '../../../contracts/cases.ts';
import type { Scorer } from '../../../contracts/scorers.ts';
import type { Suite } from '../../../contracts/suites.ts';
import type { Effect } from '../../../scoring/verdict/strictness.ts';

export type SuiteFields = Pick<
  Suite,
  | 'slug'
  | 'name'
  | 'description'
  | 'pass_threshold'
  | 'gates'
  | 'keep_outputs'
  | 'show_expected'
  | 'show_inputs'
  | 'show_results'
>;
export type ScorerFields = Pick<
  Scorer,
  'key' | 'name' | 'type' | 'config' | 'dual_sided' | 'precision_threshold' | 'recall_threshold'
>;
export type CaseFields = Omit<
  EvalCase,
  'id' | 'suite_id' | 'scorer_id' | 'sort_order' | 'created_at' | 'updated_at'
> & {
  /** The key of its scorer. Null for one that was deleted. */
  readonly scorer: string | null;
};

/** A suite with every field, defaults included, also those of configs. */
export interface CompleteDefinition {
  readonly suite: SuiteFields;
  /** By their keys: at least all that its cases use. */
  readonly scorers: ReadonlyMap<string, ScorerFields>;
  /** In their order; each key once. */
  readonly cases: readonly CaseFields[];
}

export interface Change {
  readonly kind: 'suite' | 'scorer' | 'case';
  readonly key: string;
  /** `keep`: the definition does not have it, and it is not pruned. */
  readonly action: 'create' | 'update' | 'delete' | 'keep';
  readonly fields: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;
  readonly effect: Effect;
}

/** Whether an output may be cleared afterwards that was not before. */
export const isWeaker = ({ effect }: Pick<Change, 'effect'>): boolean =>
  effect !== 'same' && effect !== 'stricter';

export interface Plan {
  /** Of the suite, then of scorers, then of cases. */
  readonly changes: readonly Change[];
  /** Those of them after which an output may be cleared that was not before. */
  readonly weaker: readonly Change[];
  /** Other suites that a changed scorer moves. */
  readonly affects: readonly { readonly suite: string; readonly scorers: readonly string[] }[];
}
