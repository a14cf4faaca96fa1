import type { LastPush } from '../../contracts/history/lastPush.ts';
import type { JobSource } from '../principal.ts';

/** What the last push was, so that the same one is known again. */
interface PushedState {
  /** Of the suite and of its project's scorers, after the push. */
  readonly revision: string;
  /** Of what was sent. */
  readonly sent: string;
  /** Keys of the cases that it did not have, and left. */
  readonly keeps: readonly string[];
  readonly definition_digest: string;
  readonly suite_digest: string;
  /** The deployment's judges, which the suite's digest depends on. */
  readonly judges: string;
}

/** What pushes know of a suite. */
export interface PushedSuite {
  /** Whose jobs push it. */
  readonly owner?: JobSource | undefined;
  readonly last_push?: LastPush | undefined;
  /** The branch, in full, of the registration whose job pushed it last. */
  readonly default_ref?: string | undefined;
  readonly pushed?: PushedState | undefined;
  /** The newest of the jobs that have pushed it. An older job changes nothing, even if another credential pushed since. */
  readonly newest_job?: string | undefined;
}

/** What pushes know of a scorer. */
export interface PushedScorer {
  readonly made_by_push?: boolean | undefined;
  /** When a push wrote it last: its `updated_at` unless it was written by hand since. */
  readonly pushed_at?: string | undefined;
  /** Whose jobs push it. */
  readonly owner?: JobSource | undefined;
}
