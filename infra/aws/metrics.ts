import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { WORKERS } from './functions.ts';
import { isCode, type MetricSources, minutes, sumOf } from './metricSources.ts';

/** Every figure that alarms and dashboard show, each from one place. */
export const metricsOf = (sources: MetricSources) => ({
  ...apiMetrics(sources),
  ...tableMetrics(sources),
  ...evaluationMetrics(sources),
  ...workerMetrics(sources),
  ...judgeMetrics(sources),
  ...paymentMetrics(sources),
});
export type Metrics = ReturnType<typeof metricsOf>;

/** Waits for judges are part of these answers' times. */
const WAITING = ['runs/create', 'byokKeys/test'];

function apiMetrics(sources: MetricSources) {
  const { functionLog, accessLog } = sources.watched.api;
  const isAnswer = [isCode('request_completed'), ...WAITING.map((id) => `$.endpoint != "${id}"`)];
  const isRefusal = '$.status = "429" && $.integration_status = "-"';
  const isUncounted = isCode('rate_limit_unavailable');
  return {
    requests: sources.http('Count'),
    serverErrors: sources.http('5xx'),
    clientErrors: sources.http('4xx'),
    durationMs: sources
      .fromLog('RequestDurationMs', functionLog, isAnswer.join(' && '), '$.duration_ms')
      .with({ statistic: 'p95' }),
    refusedByGateway: sources.fromLog('RefusedByGateway', accessLog, isRefusal),
    functionThrottles: sources.allLambdas('Throttles'),
    uncounted: sources.fromLog('Uncounted', functionLog, isUncounted, '$.RateLimitUnavailable'),
    unexpectedErrors: sources.coded('UnexpectedErrors', functionLog, 'unexpected_error'),
    unsentMessages: sources.coded('MessagesUnsent', functionLog, 'message_unsent'),
    issuerFailures: sources.coded('OidcIssuerUnavailable', functionLog, 'oidc_issuer_unavailable'),
  };
}

function tableMetrics({ watched }: MetricSources) {
  const { table } = watched.data;
  const of = (names: readonly string[], periodMinutes: number, label: string) =>
    sumOf(
      names.map((name) => table.metric(name, { statistic: 'Sum', ...minutes(periodMinutes) })),
      label,
    );
  return {
    tableThrottles: of(['ReadThrottleEvents', 'WriteThrottleEvents'], 5, 'throttled reads and writes'),
    tableUnits: of(['ConsumedReadCapacityUnits', 'ConsumedWriteCapacityUnits'], 60, 'units an hour'),
  };
}

function evaluationMetrics(sources: MetricSources) {
  const { runs, deadLetters } = sources.watched.data;
  const { functionLog } = sources.watched.evaluator;
  const failed = sources.coded('MessagesFailed', functionLog, 'message_failed', 'message_invalid');
  return {
    queueAgeSeconds: runs.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum', ...minutes(5) }),
    queueDepth: runs.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum', ...minutes(5) }),
    deadLetters: deadLetters.metricApproximateNumberOfMessagesVisible({
      // Their consumer takes them at once: what counts is what is there all the time.
      statistic: 'Minimum',
      ...minutes(5),
    }),
    evaluationFailures: sumOf([failed, sources.lambda('Errors', WORKERS.evaluate)], 'failed evaluations'),
  };
}

function workerMetrics(sources: MetricSources) {
  const { functionLog } = sources.watched.evaluator;
  const others = Object.values(WORKERS).filter((id) => id !== WORKERS.evaluate);
  return {
    runsGivenUp: sources.fromLog('RunsGivenUp', functionLog, isCode('sweep_completed'), '$.ended'),
    runsUnswept: sources.coded('RunsUnswept', functionLog, 'run_unswept'),
    sweeps: sources.lambda('Invocations', WORKERS.sweep),
    workerErrors: sumOf(
      others.map((id) => sources.lambda('Errors', id)),
      'failed scheduled work',
    ),
  };
}

/** What a provider does to everybody; the other errors are of one organisation's keys, models and rubrics. */
const PROVIDER_FAILURES = ['JUDGE_TIMEOUT', 'JUDGE_UNAVAILABLE'];
/** Fewer cases than that are no share. */
const CASES_MIN = 20;

function judgeMetrics(sources: MetricSources) {
  const { functionLog } = sources.watched.evaluator;
  const failures = PROVIDER_FAILURES.map((code) => `$.outcome = "${code}"`).join(' || ');
  const judged = sources.coded('CasesJudged', functionLog, 'case_judged');
  const failed = sources.fromLog('JudgesFailed', functionLog, `${isCode('case_judged')} && (${failures})`);
  return {
    judged,
    unjudgedPercent: new MathExpression({
      expression: `IF(judged >= ${CASES_MIN}, 100 * FILL(failed, 0) / judged, 0)`,
      usingMetrics: { judged, failed },
      label: '% of cases that no provider judged',
      ...minutes(5),
    }),
  };
}

function paymentMetrics(sources: MetricSources) {
  const { api, evaluator } = sources.watched;
  const coded = sources.coded.bind(sources);
  return {
    webhookFailures: coded('PaymentWebhooksFailed', api.functionLog, 'payment_webhook_failed'),
    providerFailures: coded('PaymentProviderFailed', api.functionLog, 'payment_provider_failed'),
    paidTwice: coded('SubscriptionsOverlap', api.functionLog, 'subscriptions_overlap'),
    overageUntold: coded(
      'OverageUntold',
      evaluator.functionLog,
      'overage_unconfirmed',
      'overage_report_failed',
    ),
  };
}
