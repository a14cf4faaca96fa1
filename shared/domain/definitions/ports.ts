import type { EvalCase } from '../../contracts/cases.ts';
import type { StoredScorer, StoredSuite } from '../suites/ports.ts';
import type { CaseDocuments } from '../suites/rules.ts';

/** A suite with all that it holds, inactive cases included. */
export interface WholeSuite {
  readonly suite: StoredSuite;
  /** Those that its cases use, by their ids. One that was deleted is not there. */
  readonly scorers: ReadonlyMap<string, StoredScorer>;
  /** In their order. */
  readonly cases: readonly (EvalCase & CaseDocuments)[];
}

export interface DefinitionStore {
  /** `too_large`: more bytes than a request can read and answer. Undefined for a suite that is gone. */
  read(orgId: string, suiteId: string): Promise<WholeSuite | 'too_large' | undefined>;
}
