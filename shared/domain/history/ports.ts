import type { Sha256 } from '../../scoring/digest/documents.ts';
import type { RepeatedVerdict } from '../reliability/reliability.ts';
import type { RevisionIds, SuiteChain } from '../suites/chains/chains.ts';

/** A bar that a run was judged by: what a suite digest names. */
export interface JudgedDigest {
  readonly digest: Sha256;
  /** The first one that had this digest. */
  readonly revisions: RevisionIds;
  /** The version of the scorers and of how results become a verdict. */
  readonly scoring: number;
  readonly first_run_id: string;
  readonly first_run_at: string;
  /** Active ones. */
  readonly case_count: number;
  readonly pass_threshold: number;
  /** Commits that it judged twice. */
  readonly repeated: readonly RepeatedVerdict[];
}

export interface JudgedDigestStore {
  find(suite: SuiteChain, digest: string): Promise<JudgedDigest | undefined>;
  all(suite: SuiteChain): Promise<readonly JudgedDigest[]>;
  /** Of the suite, secret: digests are shown by it, so that they test no guess at what they are of. */
  salt(suite: SuiteChain): Promise<string>;
}
