import type { Page } from '../../shards/ports.ts';

export interface ListedRun {
  readonly orgId: string;
  readonly runId: string;
  readonly createdAt: string;
}

export type PendingPage = Page<ListedRun>;
