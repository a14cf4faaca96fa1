import type { BillingEvent, BillingLog } from '../domain/billing/ports.ts';
import { countMetric } from '../runtime/log.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** Each of these is also the metric of an alarm. */
const ALARMING: ReadonlySet<BillingEvent> = new Set([
  'payment_webhook_failed',
  'overage_unconfirmed',
  'overage_report_failed',
  'subscriptions_overlap',
]);
const WARNING: ReadonlySet<BillingEvent> = new Set(['payment_webhook_ignored', 'message_unsent']);

export const billingLog =
  ({ log, now, config }: Pick<Runtime, 'log' | 'now' | 'config'>): BillingLog =>
  (event, fields) => {
    if (!ALARMING.has(event)) return log(WARNING.has(event) ? 'warn' : 'info', event, fields);
    log('error', event, { ...fields, ...countMetric(config.metricsNamespace, event, 1, now()) });
  };
