import { billingLog } from '../../shared/billing/billingLog.ts';
import { paymentsFromConfig } from '../../shared/billing/fromConfig.ts';
import { configured } from '../../shared/domain/billing/errors.ts';
import { reportAllOverage } from '../../shared/domain/billing/reportOverage.ts';
import { schedule } from '../../shared/queue/schedule.ts';
import { billingStore } from '../../shared/storage/billing/billing.ts';
import { ALL_SUBSCRIBER_SHARDS, overageStore } from '../../shared/storage/billing/overageReports.ts';
import { positionStore } from '../../shared/storage/lists/positions.ts';

/** Once an hour, for one shard of subscribers or for all: reports runs beyond the plans to the payment provider. */
export const handler = schedule({
  dependencies: ({ table, config, log, now }) => ({
    overage: overageStore(table),
    billing: billingStore(table),
    positions: positionStore(table, now),
    payments: configured(paymentsFromConfig(config, log)),
    record: billingLog({ log, now, config }),
    now,
  }),
  handle: ({ shard }, deps) => reportAllOverage(deps, shard === undefined ? ALL_SUBSCRIBER_SHARDS : [shard]),
});
