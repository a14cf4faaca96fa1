import type { RunResult } from '../../../contracts/results/results.ts';

/**
 * The rule by which results are stored and read: a result stores what its run made, and of what its case and its scorer
 * say only that it is the same. Results that were stored by another rule have another number.
 */
export const JOIN = 1;

/** What is stored of a value beside another one that says the same, or a part of it. */
export type Difference =
  | typeof SAME
  | { readonly is: unknown }
  | { readonly of: Readonly<Record<string, Difference>> | readonly Difference[] };
export const SAME = 1;

type Result = Omit<RunResult, 'id' | 'run_id' | 'judge_prompt'>;
type Sample = NonNullable<Result['samples']>[number];
type WithDifference<T extends object> = Omit<T, 'scorer_output'> & { readonly scorer_output: Difference };

/** `other`: what it says otherwise than its case and its state. */
export interface StoredResult
  extends WithDifference<Omit<Result, SaidField | 'samples' | 'expected_excerpt' | 'input_excerpt'>> {
  /** The number of its case. Null where no revision has the case: then `other` says all that a case says. */
  readonly member: number | null;
  readonly state: string;
  readonly other?: Partial<Pick<Result, SaidField>>;
  readonly samples?: readonly WithDifference<Sample>[];
  readonly expected_excerpt?: Difference;
  readonly input_excerpt?: Difference;
}

export type OfCase = 'case_id' | 'case_name' | 'key' | 'threshold' | 'weight' | 'must_pass' | 'tags';
export type SaidField = OfCase | 'passed' | 'errored' | 'missing' | 'advisory' | 'fault';
