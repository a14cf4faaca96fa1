import type { Baseline as ShownBaseline } from '../../contracts/baseline/baselines.ts';
import type { RevisionStore } from '../revisions/ports.ts';
import type {
  AcceptedReader,
  AcceptedRuns,
  RunDigests,
  StoredWaiver,
  WaiverReader,
} from '../runs/baseline/ports.ts';
import type { SuiteChain } from '../suites/chains/chains.ts';

/** What is known of a baseline beside its cases. */
export interface BaselineRecord extends Omit<ShownBaseline, 'id' | 'suite_id'> {
  readonly name: string;
  /** The one that was accepted before it. */
  readonly previous: string | null;
  /** How many were accepted up to it, with it. */
  readonly ordinal: number;
  /** The last one that a credential of scope `full` accepted: it, or one before it. */
  readonly anchor: string;
}

export interface BaselineReader extends AcceptedReader {
  find(suite: SuiteChain, name: string): Promise<BaselineRecord | undefined>;
  /** Those that were begun last, also such that never were in force. */
  newest(suite: SuiteChain, limit: number): Promise<readonly BaselineRecord[]>;
}

export interface BaselineStore extends BaselineReader {
  /** It is read once a revision of the suite names it. A second one of the same name replaces it. */
  put(suite: SuiteChain, record: BaselineRecord, accepted: AcceptedRuns): Promise<void>;
}

interface Waiving {
  readonly suite: SuiteChain;
  readonly digests: RunDigests;
  /** Of the run that is waived. */
  readonly number: number;
  /** Null: it is revoked. */
  readonly waiver: StoredWaiver | null;
}

export interface WaiverStore extends Pick<WaiverReader, 'find'> {
  /** Puts the revision of an edit that waives or revokes in force, together with the waiver or its end. */
  flipWith(waiving: Waiving): RevisionStore<unknown, unknown, unknown>['flip'];
}
