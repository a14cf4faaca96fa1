import type { Page } from '../../shards/ports.ts';

export interface ListedRun {
  readonly orgId: string;
  readonly runId: string;
  readonly createdAt: string;
}

export type PendingPage = Page<ListedRun>;

export interface QueueMark {
  /** When the newest mark was sent, and when the newest one that was delivered; in ms since 1970, 0 for never. */
  readonly sentAtMs: number;
  readonly passedAtMs: number;
}

/**
 * Tells what of an organisation still waits in the queue. The queue delivers an organisation's messages roughly in
 * the order they were sent in: when a mark is delivered, so was what was sent before it.
 */
export interface QueueMarkStore {
  /** Without an entry an organisation's part of the queue was never marked. */
  known(orgIds: readonly string[]): Promise<ReadonlyMap<string, QueueMark>>;
  /** Notes a mark that is about to be sent. False while an earlier one is on its way. */
  intend(orgId: string, atMs: number): Promise<boolean>;
  /** Notes that the mark which was sent at this moment was delivered. */
  pass(orgId: string, sentAtMs: number): Promise<void>;
}
