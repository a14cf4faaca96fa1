import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type IFilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Duration, type Stack } from 'aws-cdk-lib/core';
import type { LogCode } from '../../shared/runtime/log.ts';
import type { Environment } from './environments.ts';
import { functionName, WORKERS } from './functions.ts';
import type { ApiStack } from './stacks/api.ts';
import type { DataStack } from './stacks/data.ts';
import type { EvaluatorStack } from './stacks/evaluator.ts';

export interface Watched {
  readonly environment: Environment;
  readonly data: DataStack;
  readonly api: ApiStack;
  readonly evaluator: EvaluatorStack;
}

/** Waits for judges are part of these answers' times. */
const WAITING = ['runs/create', 'byokKeys/test'];
/** What a provider does to everybody; the other errors are of one organisation's keys, models and rubrics. */
const PROVIDER_FAILURES = ['JUDGE_TIMEOUT', 'JUDGE_UNAVAILABLE'];

const minutes = (count: number) => ({ period: Duration.minutes(count) });
const all = (patterns: readonly string[], join = '&&'): string => `{ ${patterns.join(` ${join} `)} }`;
const pattern = (text: string): IFilterPattern => FilterPattern.literal(text);

/** Every figure that alarms and dashboard show, each from one place. */
export type Metrics = ReturnType<typeof metricsOf>;

export function metricsOf(stack: Stack, watched: Watched) {
  const { environment, data, api, evaluator } = watched;
  const fromLog = (name: string, log: LogGroup, filterPattern: string, value = '1'): Metric => {
    const metricNamespace = `evalgate/${environment.name}`;
    const filter = { logGroup: log, metricNamespace, metricName: name, metricValue: value };
    new MetricFilter(stack, `${name}Filter`, { ...filter, filterPattern: pattern(filterPattern) });
    return new Metric({ namespace: metricNamespace, metricName: name, statistic: 'Sum', ...minutes(5) });
  };
  const coded = (name: string, log: LogGroup, ...codes: readonly LogCode[]): Metric =>
    fromLog(
      name,
      log,
      all(
        codes.map((code) => `$.code = "${code}"`),
        '||',
      ),
    );
  const lambda = (metricName: string, id: string): Metric =>
    new Metric({
      namespace: 'AWS/Lambda',
      metricName,
      dimensionsMap: { FunctionName: functionName(environment.name, id) },
      statistic: 'Sum',
      ...minutes(5),
    });
  const http = (metricName: string, statistic: string): Metric =>
    new Metric({
      namespace: 'AWS/ApiGateway',
      metricName,
      dimensionsMap: { ApiId: api.api.ref },
      statistic,
      ...minutes(5),
    });
  const judged = fromLog('CasesJudged', evaluator.functionLog, all(['$.code = "case_judged"']));
  const unjudged = fromLog(
    'JudgesFailing',
    evaluator.functionLog,
    `{ $.code = "case_judged" && (${PROVIDER_FAILURES.map((code) => `$.outcome = "${code}"`).join(' || ')}) }`,
  );
  return {
    requests: http('Count', 'Sum'),
    serverErrors: http('5xx', 'Sum'),
    clientErrors: http('4xx', 'Sum'),
    durationMs: fromLog(
      'RequestDurationMs',
      api.functionLog,
      all(['$.code = "request_completed"', ...WAITING.map((id) => `$.endpoint != "${id}"`)]),
      '$.duration_ms',
    ).with({ statistic: 'p95' }),
    refusedByGateway: fromLog(
      'RefusedByGateway',
      api.accessLog,
      all(['$.status = "429"', '$.integration_status = "-"']),
    ),
    functionThrottles: new Metric({
      namespace: 'AWS/Lambda',
      metricName: 'Throttles',
      statistic: 'Sum',
      ...minutes(5),
    }),
    tableThrottles: sumOf([
      data.table.metric('ReadThrottleEvents', { statistic: 'Sum', ...minutes(5) }),
      data.table.metric('WriteThrottleEvents', { statistic: 'Sum', ...minutes(5) }),
    ]),
    tableUnits: sumOf([
      data.table.metric('ConsumedReadCapacityUnits', { statistic: 'Sum', ...minutes(60) }),
      data.table.metric('ConsumedWriteCapacityUnits', { statistic: 'Sum', ...minutes(60) }),
    ]),
    queueAgeSeconds: data.runs.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum', ...minutes(5) }),
    queueDepth: data.runs.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum', ...minutes(5) }),
    deadLetters: data.deadLetters.metricApproximateNumberOfMessagesVisible({
      statistic: 'Minimum',
      ...minutes(5),
    }),
    runsGivenUp: fromLog(
      'RunsGivenUp',
      evaluator.functionLog,
      all(['$.code = "sweep_completed"']),
      '$.ended',
    ),
    runsUnswept: coded('RunsUnswept', evaluator.functionLog, 'run_unswept'),
    sweeps: lambda('Invocations', WORKERS.sweep),
    workerErrors: sumOf(
      Object.values(WORKERS)
        .filter((id) => id !== WORKERS.evaluate)
        .map((id) => lambda('Errors', id)),
    ),
    evaluationFailures: sumOf([
      coded('MessagesFailed', evaluator.functionLog, 'message_failed', 'message_invalid'),
      lambda('Errors', WORKERS.evaluate),
    ]),
    judged,
    unjudgedPercent: new MathExpression({
      expression: 'IF(judged >= 20, 100 * unjudged / judged, 0)',
      usingMetrics: { judged, unjudged },
      label: '% of cases that no provider judged',
      ...minutes(5),
    }),
    uncounted: fromLog(
      'Uncounted',
      api.functionLog,
      all(['$.code = "rate_limit_unavailable"']),
      '$.RateLimitUnavailable',
    ),
    unexpectedErrors: coded('UnexpectedErrors', api.functionLog, 'unexpected_error', 'response_mismatch'),
    unsentMessages: coded('MessagesUnsent', api.functionLog, 'message_unsent'),
    webhookFailures: coded('PaymentWebhooksFailed', api.functionLog, 'payment_webhook_failed'),
    providerFailures: coded('PaymentProviderFailed', api.functionLog, 'payment_provider_failed'),
    overageUntold: coded(
      'OverageUntold',
      evaluator.functionLog,
      'overage_unconfirmed',
      'overage_report_failed',
    ),
    issuerFailures: coded('OidcIssuerUnavailable', api.functionLog, 'oidc_issuer_unavailable'),
  } as const satisfies Record<string, IMetric>;
}

function sumOf(metrics: readonly Metric[]): MathExpression {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]));
  const expression = `SUM([${Object.keys(usingMetrics)
    .map((name) => `FILL(${name}, 0)`)
    .join(', ')}])`;
  const [first] = metrics;
  return new MathExpression({
    expression,
    usingMetrics,
    label: metrics.map(({ metricName }) => metricName).join(' + '),
    ...(first && { period: first.period }),
  });
}
