import type { EvalCase } from '../../contracts/cases.ts';
import type { CaseDocuments } from '../suites/gates/rules.ts';
import type { StoredScorer, StoredSuite } from '../suites/stored.ts';

export type CompleteCase = EvalCase & CaseDocuments;

/** A suite with all that it holds, inactive cases included. */
export interface CompleteSuite {
  readonly suite: StoredSuite;
  /** Those that its cases use, by their ids. One that was deleted is not there. */
  readonly scorers: ReadonlyMap<string, StoredScorer>;
  /** In their order. */
  readonly cases: readonly CompleteCase[];
}

export interface Writes<T> {
  readonly created: readonly T[];
  readonly changed: readonly T[];
  readonly deleted: readonly T[];
}

/** By the ids of the scorers that their cases use, inactive ones included. */
export type SuitesByScorer = ReadonlyMap<string, readonly StoredSuite[]>;
