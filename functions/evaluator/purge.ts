import { PLAN } from '../../shared/domain/plans.ts';
import type { Purge } from '../../shared/domain/purge/ports.ts';
import { purgeAll } from '../../shared/domain/purge/purge.ts';
import { schedule } from '../../shared/queue/schedule.ts';
import { describeError } from '../../shared/runtime/log.ts';
import { accountStore } from '../../shared/storage/accounts/accounts.ts';
import { purgeStore } from '../../shared/storage/purge/purges.ts';

/** Hourly; every minute on a laptop. */
export const handler = schedule({
  dependencies: ({ table, now, log }) => {
    const accounts = accountStore(table, now);
    return {
      purges: purgeStore(table),
      now,
      retentionDays: async (orgId: string) =>
        PLAN[(await accounts.organisation(orgId))?.plan ?? 'enterprise'].retentionDays,
      onFailure: (error: unknown, purge: Purge) =>
        log('error', 'purge_failed', {
          kind: purge.kind,
          id: purge.kind === 'texts' ? purge.chain.id : purge.id,
          ...describeError(error),
        }),
    };
  },
  handle: (_detail, deps) => purgeAll(deps),
});
