import type { BillingNews, Tell } from '../domain/billing/ports.ts';
import { countMetric, type Log } from '../runtime/log.ts';

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
  (log: Log, now: () => number): Tell =>
  (news, fields) => {
    if (ALARMING.has(news)) log('error', news, { ...fields, ...countMetric(news, 1, now()) });
    else log(WARNING.has(news) ? 'warn' : 'info', news, fields);
  };
