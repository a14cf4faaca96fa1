import type { Run, RunResult, RunVerdict } from '../../sdk/index.ts';
import type { Comparison } from './review/changes.ts';

/** A run, as every answer about it contains it. */
export type ReportedRun = Pick<Run, keyof Run & keyof RunVerdict> &
  Partial<Pick<Run, 'suite' | 'created_at'>>;

type Known =
  | 'case_id'
  | 'case_name'
  | 'key'
  | 'passed'
  | 'score'
  | 'threshold'
  | 'reason'
  | 'missing'
  | 'advisory';

/** A result of which some fields may not have been read. */
export type ReportedResult = Pick<RunResult, Known> &
  Partial<Omit<RunResult, 'samples'>> & { readonly samples?: readonly { readonly passed: boolean }[] };

/** Where a case stands in a file of the repository. */
export interface CasePlace {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

export interface Report {
  readonly run: ReportedRun;
  readonly results: readonly ReportedResult[];
  /** Whether `results` are all that the run has. */
  readonly isComplete: boolean;
  /** The credential may not read them. */
  readonly areHidden?: boolean | undefined;
  /** The address of the run's page. */
  readonly page?: string | undefined;
  /** By the keys of cases, where the suite is in a file. */
  readonly places?: ReadonlyMap<string, CasePlace> | undefined;
  /** With its baseline, else with the run of a base branch. */
  readonly comparison?: Comparison | undefined;
}

export type RunState = 'cleared' | 'aborted' | 'inconclusive' | 'pending' | 'unknown';

/** What a run comes to. Whatever a later service may answer besides is neither cleared nor aborted. */
export function stateOf({ status, inconclusive }: Pick<ReportedRun, 'status' | 'inconclusive'>): RunState {
  if (status === 'cleared' || status === 'pending') return status;
  if (status !== 'aborted') return 'unknown';
  return inconclusive === false ? 'aborted' : 'inconclusive';
}
