import type { BillingNews, Tell } from '../domain/billing/ports.ts';
import { countMetric } from '../runtime/log.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** Somebody must look at these: each is an alarm's metric too. */
const ALARMING: ReadonlySet<BillingNews> = new Set([
  'payment_webhook_failed',
  'overage_unconfirmed',
  'overage_report_failed',
  'subscriptions_overlap',
]);
const WARNING: ReadonlySet<BillingNews> = new Set(['payment_webhook_ignored', 'message_unsent']);

/** The log lines of billing. */
export const tellLog =
  ({ log, now, config }: Pick<Runtime, 'log' | 'now' | 'config'>): Tell =>
  (news, fields) => {
    if (!ALARMING.has(news)) return log(WARNING.has(news) ? 'warn' : 'info', news, fields);
    log('error', news, { ...fields, ...countMetric(config.metricsNamespace, news, 1, now()) });
  };
