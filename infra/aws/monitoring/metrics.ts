import type { LogCode } from '../../../shared/runtime/log.ts';
import { WORKERS } from '../functions.ts';
import { isCode, type MetricSources, minutes, percentOf, sumOf } from './metricSources.ts';

export const metricsOf = (sources: MetricSources) => ({
  ...apiMetrics(sources),
  ...tableMetrics(sources),
  ...evaluationMetrics(sources),
  ...workerMetrics(sources),
  ...judgeMetrics(sources),
  ...paymentMetrics(sources),
});
export type Metrics = ReturnType<typeof metricsOf>;

/** A percentage of fewer requests means nothing. */
const REQUESTS_MIN = 50;
/** These endpoints wait for model providers. */
const WAITING = ['runs/create', 'byokKeys/test'];

function apiMetrics(sources: MetricSources) {
  const { functionLog, accessLog } = sources.watched.api;
  const isAnswer = [isCode('request_completed'), ...WAITING.map((id) => `$.endpoint != "${id}"`)];
  const isRefusal = '$.status = "429" && $.integration_status = "-"';
  const [requests, clientErrors] = [sources.http('Count'), sources.http('4xx')];
  return {
    requests,
    clientErrors,
    serverErrors: sources.http('5xx'),
    refusedPercent: percentOf({
      label: '% of requests that got 4xx',
      all: { requests },
      part: { clientErrors },
      min: REQUESTS_MIN,
    }),
    durationMs: sources
      .fromLog('RequestDurationMs', functionLog, isAnswer.join(' && '), '$.duration_ms')
      .with({ statistic: 'p95' }),
    refusedByGateway: sources.fromLog('RefusedByGateway', accessLog, isRefusal),
    functionThrottles: sources.allLambdas('Throttles'),
    uncounted: sources.embedded('RateLimitUnavailable'),
    unexpectedErrors: sources.coded('UnexpectedErrors', functionLog, 'unexpected_error'),
    unsentMessages: sources.coded('MessagesUnsent', functionLog, 'message_unsent'),
    issuerFailures: sources.coded('OidcIssuerUnavailable', functionLog, 'oidc_issuer_unavailable'),
  };
}

function tableMetrics({ watched }: MetricSources) {
  const { table } = watched.data;
  const tableSum = (names: readonly string[], periodMinutes: number, label: string) =>
    sumOf(
      names.map((name) => table.metric(name, { statistic: 'Sum', ...minutes(periodMinutes) })),
      label,
    );
  return {
    tableThrottles: tableSum(['ReadThrottleEvents', 'WriteThrottleEvents'], 5, 'throttled reads and writes'),
    tableUnits: tableSum(['ConsumedReadCapacityUnits', 'ConsumedWriteCapacityUnits'], 60, 'units an hour'),
  };
}

function evaluationMetrics(sources: MetricSources) {
  const { runs, deadLetters } = sources.watched.data;
  const { functionLog } = sources.watched.evaluator;
  const failed = sources.coded('MessagesFailed', functionLog, 'message_failed', 'message_invalid');
  return {
    queueAgeSeconds: runs.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum', ...minutes(5) }),
    queueDepth: runs.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum', ...minutes(5) }),
    // A message that has just failed is invisible until its next try, but still in the queue.
    deadLetters: sumOf(
      [
        deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum', ...minutes(5) }),
        deadLetters.metricApproximateNumberOfMessagesNotVisible({ statistic: 'Maximum', ...minutes(5) }),
      ],
      'dead letters',
    ),
    evaluationFailures: sumOf([failed, sources.lambda('Errors', WORKERS.evaluate)], 'failed evaluations'),
  };
}

function workerMetrics(sources: MetricSources) {
  const { functionLog } = sources.watched.evaluator;
  const otherWorkers = [WORKERS.deadLetters, WORKERS.sweep, WORKERS.resumeRetention];
  return {
    runsGivenUp: sources.fromLog('RunsGivenUp', functionLog, isCode('sweep_completed'), '$.ended'),
    runsUnswept: sources.coded('RunsUnswept', functionLog, 'run_unswept'),
    purgeFailures: sumOf(
      [sources.coded('PurgesFailed', functionLog, 'purge_failed'), sources.lambda('Errors', WORKERS.purge)],
      'failed purges',
    ),
    sweeps: sources.lambda('Invocations', WORKERS.sweep),
    workerErrors: sumOf(
      otherWorkers.map((id) => sources.lambda('Errors', id)),
      'failed invocations of workers',
    ),
  };
}

/** Errors of the provider itself. The other codes come from one organisation's keys, models and rubrics. */
const PROVIDER_FAILURES = ['JUDGE_TIMEOUT', 'JUDGE_UNAVAILABLE'];
/** A percentage of fewer cases means nothing. */
const CASES_MIN = 20;

function judgeMetrics(sources: MetricSources) {
  const { functionLog } = sources.watched.evaluator;
  const failures = PROVIDER_FAILURES.map((code) => `$.outcome = "${code}"`).join(' || ');
  const judged = sources.coded('CasesJudged', functionLog, 'case_judged');
  const failed = sources.fromLog('JudgesFailed', functionLog, `${isCode('case_judged')} && (${failures})`);
  return {
    judged,
    unjudgedPercent: percentOf({
      label: '% of cases that no provider judged',
      all: { judged },
      part: { failed },
      min: CASES_MIN,
    }),
  };
}

const WEBHOOK = 'billing/webhook';

function paymentMetrics(sources: MetricSources) {
  const { functionLog } = sources.watched.api;
  const embedded = (...codes: readonly LogCode[]) => codes.map((code) => sources.embedded(code));
  return {
    // A function that crashes logs no code. Events are few: their errors would vanish among the API's.
    webhookFailures: sumOf(
      [...embedded('payment_webhook_failed'), sources.lambda('Errors', WEBHOOK)],
      'failed payment events',
    ),
    providerFailures: sources.coded('PaymentProviderFailed', functionLog, 'payment_provider_failed'),
    duplicateSubscriptions: sources.embedded('subscriptions_overlap'),
    // The report runs once an hour: no other alarm would notice its failure.
    overageUnreported: sumOf(
      [
        ...embedded('overage_unconfirmed', 'overage_report_failed'),
        sources.lambda('Errors', WORKERS.reportOverage),
      ],
      'overage not reported',
    ),
  };
}
