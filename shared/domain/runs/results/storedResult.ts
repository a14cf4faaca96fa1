import type { RunResult } from '../../../contracts/runs.ts';
import type { Difference } from './difference.ts';

type Result = Omit<RunResult, 'id' | 'run_id'>;
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
