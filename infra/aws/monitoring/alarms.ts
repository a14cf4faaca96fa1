import { ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Environment } from '../environments.ts';
import type { Metrics } from './metrics.ts';

export interface AlarmDefinition {
  /** What the metric measures; also the heading of the alarm's section in the runbook. */
  readonly title: string;
  /** The effect on customers, for the alarm's description. */
  readonly impact: string;
  readonly metric: keyof Metrics;
  readonly threshold: number | ((environment: Environment) => number);
  readonly when?: 'at_least' | 'below';
  /** How many periods in a row the metric must be past the threshold. */
  readonly periods: number;
  /** A period without data counts as past the threshold. */
  readonly missingIsBad?: true;
}

export const RUNBOOK = 'docs/runbook.md';

/** The anchor that GitHub gives a heading. */
export const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

export const descriptionOf = ({ title, impact }: AlarmDefinition): string =>
  `${impact} What to do: ${RUNBOOK}#${anchorOf(title)}`;

export const MISSING = { bad: TreatMissingData.BREACHING, fine: TreatMissingData.NOT_BREACHING };
export const COMPARISON = {
  at_least: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  below: ComparisonOperator.LESS_THAN_THRESHOLD,
};

/** In the order of the runbook. */
export const ALARMS: readonly AlarmDefinition[] = [
  {
    title: 'API errors',
    impact: 'Callers get 5xx answers: gates fail whose candidates have no fault.',
    metric: 'serverErrors',
    threshold: 5,
    periods: 2,
  },
  {
    title: 'Share of 4xx answers',
    impact:
      'At least half of all requests get a 4xx answer. If the functions reject the edge, no request is served.',
    metric: 'refusedPercent',
    threshold: 50,
    periods: 2,
  },
  {
    title: 'API latency',
    impact:
      'The slowest twentieth of the requests that wait for no model take longer than a second: pipelines slow down.',
    metric: 'durationMs',
    threshold: 1_000,
    periods: 3,
  },
  {
    title: 'API throttles',
    impact:
      'The API gets more requests than it may pass on: all customers get 429, those within their limits too.',
    metric: 'refusedByGateway',
    threshold: 10,
    periods: 1,
  },
  {
    title: 'Function throttles',
    impact: "The account's concurrent executions are used up: requests fail and runs wait.",
    metric: 'functionThrottles',
    threshold: 5,
    periods: 2,
  },
  {
    title: 'Table throttles',
    impact: 'The table refuses reads or writes: requests are slow or fail, and evaluations are repeated.',
    metric: 'tableThrottles',
    threshold: 50,
    periods: 2,
  },
  {
    title: 'Uncounted requests',
    impact: 'Requests pass without being counted: the service is up, but no address is held to its limit.',
    metric: 'uncounted',
    threshold: 5,
    periods: 1,
  },
  {
    title: 'Evaluation queue age',
    impact: 'Accepted runs wait longer than 15 minutes for their evaluation: asynchronous gates stay open.',
    metric: 'queueAgeSeconds',
    threshold: 900,
    periods: 2,
  },
  {
    title: 'Evaluation failures',
    impact:
      'Messages of runs fail and are delivered again: verdicts are late. Runs that keep failing are aborted.',
    metric: 'evaluationFailures',
    threshold: 10,
    periods: 2,
  },
  {
    title: 'Dead letters',
    impact: 'Messages failed for good and are not consumed: their runs end late, without a verdict.',
    metric: 'deadLetters',
    threshold: 1,
    periods: 3,
  },
  {
    title: 'Runs given up',
    impact: 'The sweeper aborted runs that no evaluator worked on: their gates stay closed without a result.',
    metric: 'runsGivenUp',
    threshold: 1,
    periods: 1,
  },
  {
    title: 'Pending runs not swept',
    impact: 'The sweeper cannot check some pending runs: they may stay pending.',
    metric: 'runsUnswept',
    threshold: 5,
    periods: 2,
  },
  {
    title: 'Sweeps missing',
    impact: 'The sweeper does not run: a run whose message is lost stays pending.',
    metric: 'sweeps',
    threshold: 1,
    when: 'below',
    periods: 2,
    missingIsBad: true,
  },
  {
    title: 'Scheduled function errors',
    impact: 'Sweeps, longer retention after upgrades or the handling of dead letters fail.',
    metric: 'workerErrors',
    threshold: 3,
    periods: 2,
  },
  {
    title: 'Purge failures',
    impact: 'What customers deleted does not get its expiry time: it is invisible, but still stored.',
    metric: 'purgeFailures',
    threshold: 1,
    periods: 1,
  },
  {
    title: 'Share of judge failures',
    impact:
      'Providers give no verdict on at least a fifth of the judged cases: their gates stay closed, inconclusive.',
    metric: 'unjudgedPercent',
    threshold: 20,
    periods: 2,
  },
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
