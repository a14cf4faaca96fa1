import type { AlarmDefinition } from './alarm.ts';
import { API_ALARMS } from './apiAlarms.ts';
import { EVALUATION_ALARMS } from './evaluationAlarms.ts';

/** In the order of the runbook. */
export const ALARMS: readonly AlarmDefinition[] = [
  ...API_ALARMS,
  ...EVALUATION_ALARMS,
  {
    title: 'OIDC issuer unreachable',
    impact:
      "GitHub's signing keys cannot be fetched: jobs without a stored key get no token and cannot run their gate.",
    metric: 'issuerFailures',
    threshold: 3,
    periods: 1,
  },
  {
    title: 'Payment webhook failures',
    impact:
      'Events of the payment provider are not processed: customers who paid may not have their plan yet.',
    metric: 'webhookFailures',
    threshold: 1,
    periods: 1,
  },
  {
    title: 'Payment provider failures',
    impact: 'The payment provider refuses requests or does not answer: checkout and portal do not open.',
    metric: 'providerFailures',
    threshold: 3,
    periods: 2,
  },
  {
    title: 'Duplicate subscriptions',
    impact: 'An organisation has two live subscriptions and pays for both; only the newest counts.',
    metric: 'duplicateSubscriptions',
    threshold: 1,
    periods: 1,
  },
  {
    title: 'Overage not reported',
    impact: 'Runs beyond a plan could not be reported: they may never be on an invoice.',
    metric: 'overageUnreported',
    threshold: 1,
    periods: 1,
  },
  {
    title: 'Table consumption',
    impact: 'The table consumes far more units than usual, and so costs more.',
    metric: 'tableUnits',
    threshold: ({ alarmingUnitsPerHour }) => alarmingUnitsPerHour,
    periods: 1,
  },
];
