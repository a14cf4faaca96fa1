import { ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Environment } from '../environments.ts';
import type { Metrics } from './metrics.ts';

export interface AlarmDefinition {
  /** Also the heading of its section in the runbook. */
  readonly title: string;
  /** What it means to the people who use the service. */
  readonly impact: string;
  readonly metric: keyof Metrics;
  readonly threshold: number | ((environment: Environment) => number);
  readonly when?: 'at_least' | 'below';
  /** In how many of the latest periods; all of them must be bad. */
  readonly periods: number;
  /** No figure at all is a bad one. */
  readonly silenceIsBad?: true;
}

export const RUNBOOK = 'docs/runbook.md';

/** As GitHub makes anchors of headings. */
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
    impact: 'Callers get 5xx answers: gates fail that have nothing wrong with them.',
    metric: 'serverErrors',
    threshold: 5,
    periods: 2,
  },
  {
    title: 'Requests refused',
    impact:
      'Half of all requests or more get 4xx answers: if it is the edge that is not believed, nobody is served.',
    metric: 'refusedPercent',
    threshold: 50,
    periods: 2,
  },
  {
    title: 'API latency',
    impact: 'Requests that wait for no model take longer than a second: pipelines slow down.',
    metric: 'durationMs',
    threshold: 1_000,
    periods: 3,
  },
  {
    title: 'API throttled',
    impact:
      'The API as a whole gets more than it may pass on: all customers get 429, also those within their limits.',
    metric: 'refusedByGateway',
    threshold: 10,
    periods: 1,
  },
  {
    title: 'Functions throttled',
    impact: "The account's concurrent executions are used up: requests fail and runs wait.",
    metric: 'functionThrottles',
    threshold: 5,
    periods: 2,
  },
  {
    title: 'Table throttled',
    impact: 'The table refuses reads or writes: requests are slow or fail, evaluations are repeated.',
    metric: 'tableThrottles',
    threshold: 50,
    periods: 2,
  },
  {
    title: 'Rate limits not counted',
    impact: 'Requests pass uncounted: the service is up, but nothing holds an address to its limit.',
    metric: 'uncounted',
    threshold: 5,
    periods: 1,
  },
  {
    title: 'Evaluation queue is old',
    impact: 'Accepted runs wait longer than 15 minutes to be evaluated: asynchronous gates stay open.',
    metric: 'queueAgeSeconds',
    threshold: 900,
    periods: 2,
  },
  {
    title: 'Evaluations fail',
    impact:
      'Messages of runs fail and are delivered again: verdicts are late, and without end runs are given up.',
    metric: 'evaluationFailures',
    threshold: 10,
    periods: 2,
  },
  {
    title: 'Dead letters stay',
    impact: 'Messages failed for good and are not cleared away: their runs end late, without a verdict.',
    metric: 'deadLetters',
    threshold: 1,
    periods: 3,
  },
  {
    title: 'Stuck runs',
    impact:
      'Runs were given up because nothing evaluated them: these gates are aborted without a reason of their own.',
    metric: 'runsGivenUp',
    threshold: 1,
    periods: 1,
  },
  {
    title: 'Runs not looked after',
    impact: 'The sweeper cannot look after some pending runs: they may stay pending.',
    metric: 'runsUnswept',
    threshold: 5,
    periods: 2,
  },
  {
    title: 'Sweeper is silent',
    impact: 'Nothing brings back lost runs: what is lost now stays pending.',
    metric: 'sweeps',
    threshold: 1,
    when: 'below',
    periods: 2,
    silenceIsBad: true,
  },
  {
    title: 'Scheduled work fails',
    impact: 'Sweeping, retention after upgrades or dead letters do not get done.',
    metric: 'workerErrors',
    threshold: 3,
    periods: 2,
  },
  {
    title: 'Deleted data stays',
    impact: 'What customers deleted does not get its time to live: it is invisible, but kept.',
    metric: 'purgeFailures',
    threshold: 1,
    periods: 1,
  },
  {
    title: 'Judges fail',
    impact:
      'A fifth of the judged cases get no verdict from their provider: their gates stay closed, inconclusive.',
    metric: 'unjudgedPercent',
    threshold: 20,
    periods: 2,
  },
  {
    title: 'GitHub cannot be asked',
    impact: "GitHub's signing keys cannot be fetched: jobs without a stored key get no token, and no gate.",
    metric: 'issuerFailures',
    threshold: 3,
    periods: 1,
  },
  {
    title: 'Payment webhooks fail',
    impact: 'Events of the payment provider are not taken in: who paid may not have the plan yet.',
    metric: 'webhookFailures',
    threshold: 1,
    periods: 1,
  },
  {
    title: 'Payment provider fails',
    impact: 'The payment provider refuses or does not answer: checkout and portal do not open.',
    metric: 'providerFailures',
    threshold: 3,
    periods: 2,
  },
  {
    title: 'Somebody pays twice',
    impact: 'An organisation has two live subscriptions and pays for both; only the newest counts.',
    metric: 'paidTwice',
    threshold: 1,
    periods: 1,
  },
  {
    title: 'Overage not told',
    impact: 'Runs beyond a plan could not be reported: they may never be on an invoice.',
    metric: 'overageUntold',
    threshold: 1,
    periods: 1,
  },
  {
    title: 'Unusual cost',
    impact: 'The table is used far more than usual: this is what the bill grows by.',
    metric: 'tableUnits',
    threshold: ({ alarmingUnitsPerHour }) => alarmingUnitsPerHour,
    periods: 1,
  },
];
