import type { Waiver } from '../../../contracts/baseline/waiver.ts';
import type { Baseline } from '../../../scoring/verdict/baseline/baseline.ts';
import type { JobSource } from '../../principal.ts';
import type { Repetition } from '../../reliability/repetition.ts';
import type { Said } from '../../reliability/said.ts';
import type { SuiteChain } from '../../suites/chains/chains.ts';

export type { BaselineOutcome, JudgedOutcome } from '../../../scoring/verdict/baseline/baseline.ts';

/** Accepted runs, as later runs are compared with them. Its cases are in the order of their numbers. */
export interface AcceptedRuns extends Baseline {
  readonly suiteDigest: string;
  /** The pair of revisions of one of the runs; all have the same digest. */
  readonly revisions: string;
  /** The digests of its scorers by their ids: their configs may be gone. */
  readonly scorers: Readonly<Record<string, string>>;
  readonly runIds: readonly string[];
  readonly createdAt: string;
}

/** `name`: the token of the edit that put the baseline in force. */
export interface AcceptedReader {
  /** Undefined where it is gone. */
  accepted(suite: SuiteChain, name: string): Promise<AcceptedRuns | undefined>;
}

/** Which cases of a waived run did not pass, by their numbers. */
export interface WaivedCases {
  readonly failed: readonly number[];
  /** They may be errored again, but may not fail. */
  readonly errored: readonly number[];
}

export interface RunDigests {
  /** Of the bar. */
  readonly suite: string;
  readonly outputs: string;
}

/** A waiver without what its run says. */
export interface StoredWaiver
  extends WaivedCases,
    Pick<Waiver, 'id' | 'reason' | 'waived_by' | 'created_at' | 'expires_at'> {
  /** Of the run that was waived. */
  readonly number: number;
}

type SuitePlace = Pick<SuiteChain, 'orgId' | 'id'>;

export interface WaiverReader {
  /** Of runs with these digests, the newest first. */
  waived(suite: SuitePlace, digests: RunDigests): Promise<readonly StoredWaiver[]>;
  find(suite: SuitePlace, digests: RunDigests, number: number): Promise<StoredWaiver | undefined>;
}

export interface CommitStore {
  /** Counts a run of a suite among those of its commit, once, and keeps what a scheduled run says of a commit judged before. */
  count(
    commit: {
      readonly orgId: string;
      readonly suiteId: string;
      readonly source: JobSource;
      readonly sha: string;
    },
    run: {
      readonly runToken: string;
      readonly claimed: Said;
      readonly repetition: Repetition | undefined;
    },
  ): Promise<{ readonly runs: number /** What its first run said. */; readonly first: Said }>;
}
