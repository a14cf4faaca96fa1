import { purgeDeleted } from '../../shared/domain/purge/purge.ts';
import { schedule } from '../../shared/queue/schedule.ts';
import { describeError } from '../../shared/runtime/log.ts';
import { purgeStore } from '../../shared/storage/purge/purges.ts';

/** Hourly; every minute on a laptop. */
export const handler = schedule({
  dependencies: ({ table, now, log }) => ({
    purges: purgeStore(table),
    now,
    onFailure: (error: unknown, { kind, id }: { kind: string; id: string }) =>
      log('error', 'purge_failed', { kind, id, ...describeError(error) }),
  }),
  handle: (_detail, deps) => purgeDeleted(deps),
});
