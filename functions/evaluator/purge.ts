import { endBilling } from '../../shared/domain/billing/endBilling.ts';
import { PLAN } from '../../shared/domain/plans.ts';
import type { Purge } from '../../shared/domain/purge/ports.ts';
import { purgeAll } from '../../shared/domain/purge/purge.ts';
import { schedule } from '../../shared/queue/schedule.ts';
import { describeError } from '../../shared/runtime/log.ts';
import { accountStore } from '../../shared/storage/accounts/accounts.ts';
import { billingStore } from '../../shared/storage/billing/billing.ts';
import { purgeStore } from '../../shared/storage/purge/purges.ts';

/** Hourly; every minute on a laptop. */
export const handler = schedule({
  dependencies: ({ table, now, log, config }) => {
    const accounts = accountStore(table, now);
    // Few organisations are deleted.
    const loadPayments = async () =>
      (await import('../../shared/billing/fromConfig.ts')).paymentsFromConfig(config, log);
    return {
      purges: purgeStore(table),
      now,
      endBilling: (orgId: string) => endBilling({ billing: billingStore(table), loadPayments }, orgId),
      findOrganisation: accounts.organisation,
      onDeleted: (orgId: string) => log('info', 'organisation_deleted', { org_id: orgId }),
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
