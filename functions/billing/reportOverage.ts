import { billingLog } from '../../shared/billing/billingLog.ts';
import { paymentsFromConfig } from '../../shared/billing/fromConfig.ts';
import { configured } from '../../shared/domain/billing/errors.ts';
import { reportAllOverage } from '../../shared/domain/billing/reportOverage.ts';
import { schedule } from '../../shared/queue/schedule.ts';
import { billingStore } from '../../shared/storage/billing/billing.ts';
import { overageStore } from '../../shared/storage/billing/overageReports.ts';

/** Once an hour: tells the payment provider of runs beyond the plans. */
export const handler = schedule({
  dependencies: ({ table, config, log, now }) => ({
    overage: overageStore(table),
    billing: billingStore(table),
    payments: configured(paymentsFromConfig(config, log)),
    record: billingLog({ log, now, config }),
    now,
  }),
  handle: (_, deps) => reportAllOverage(deps),
});
