import { expect, test } from '@jest/globals';
import { synthesized } from './synthesized.ts';

const { ofType } = synthesized('prod');

interface Stat {
  readonly Metric: { readonly Namespace: string; readonly MetricName: string; readonly Dimensions?: unknown };
  readonly Period: number;
  readonly Stat: string;
}
type Alarm = Readonly<Record<string, unknown>> & {
  readonly Metrics?: readonly { readonly MetricStat?: Stat; readonly Expression?: string }[];
};

/** The part of the deployment in a dimension: the function, or the logical id of an imported resource. */
const dimensionOf = (dimensions: unknown): string => {
  const text = JSON.stringify(dimensions ?? []);
  const [, of] =
    /"Value":"evalgate-prod-([\w-]+)"/.exec(text) ??
    /ExportsOutput(?:Ref|FnGetAtt)(Api|Table|Runs|DeadLetters)/.exec(text) ??
    [];
  return of === undefined ? '' : ` of ${of}`;
};

const statsOf = (alarm: Alarm): readonly Stat[] =>
  alarm.Metrics?.flatMap(({ MetricStat }) => MetricStat ?? []) ?? [
    {
      Metric: alarm as unknown as Stat['Metric'],
      Period: Number(alarm.Period),
      Stat: String(alarm.Statistic ?? alarm.ExtendedStatistic),
    },
  ];

const describeStat = ({ Metric: { Namespace, MetricName, Dimensions }, Period, Stat }: Stat): string =>
  `${Namespace} ${MetricName}${dimensionOf(Dimensions)}: ${Stat} of ${Period / 60} min`;

const SIGNS: Readonly<Record<string, string>> = {
  GreaterThanOrEqualToThreshold: '>=',
  LessThanThreshold: '<',
};

/** The threshold and AWS's metrics of each alarm, as its description and the runbook state them. */
const WATCHED: Readonly<Record<string, readonly string[]>> = {
  'API errors': ['>= 5, 2 times', 'AWS/ApiGateway 5xx of Api: Sum of 5 min'],
  'Share of 4xx answers': [
    '>= 50, 2 times',
    'AWS/ApiGateway Count of Api: Sum of 5 min',
    'AWS/ApiGateway 4xx of Api: Sum of 5 min',
  ],
  'API latency': ['>= 1000, 3 times', 'evalgate/prod RequestDurationMs: p95 of 5 min'],
  'API throttles': ['>= 10, 1 times', 'evalgate/prod RefusedByGateway: Sum of 5 min'],
  'Function throttles': ['>= 5, 2 times', 'AWS/Lambda Throttles: Sum of 5 min'],
  'Table throttles': [
    '>= 50, 2 times',
    'AWS/DynamoDB ReadThrottleEvents of Table: Sum of 5 min',
    'AWS/DynamoDB WriteThrottleEvents of Table: Sum of 5 min',
  ],
  'Uncounted requests': ['>= 5, 1 times', 'evalgate/prod RateLimitUnavailable: Sum of 5 min'],
  'Evaluation queue age': [
    '>= 900, 2 times',
    'AWS/SQS ApproximateAgeOfOldestMessage of Runs: Maximum of 5 min',
  ],
  'Evaluation failures': [
    '>= 10, 2 times',
    'evalgate/prod MessagesFailed: Sum of 5 min',
    'AWS/Lambda Errors of evaluator-evaluate: Sum of 5 min',
  ],
  'Dead letters': [
    '>= 1, 3 times',
    'AWS/SQS ApproximateNumberOfMessagesVisible of DeadLetters: Maximum of 5 min',
    'AWS/SQS ApproximateNumberOfMessagesNotVisible of DeadLetters: Maximum of 5 min',
  ],
  'Runs given up': ['>= 1, 1 times', 'evalgate/prod RunsGivenUp: Sum of 5 min'],
  'Pending runs not swept': ['>= 5, 2 times', 'evalgate/prod RunsUnswept: Sum of 5 min'],
  'Sweeps missing': ['< 36, 2 times', 'AWS/Lambda Invocations of evaluator-sweep: Sum of 5 min'],
  'Worker errors': [
    '>= 3, 2 times',
    'AWS/Lambda Errors of evaluator-deadLetters: Sum of 5 min',
    'AWS/Lambda Errors of evaluator-sweep: Sum of 5 min',
    'AWS/Lambda Errors of evaluator-resumeRetention: Sum of 5 min',
  ],
  'Purge failures': [
    '>= 1, 1 times',
    'evalgate/prod PurgesFailed: Sum of 5 min',
    'AWS/Lambda Errors of evaluator-purge: Sum of 5 min',
  ],
  'Share of judge failures': [
    '>= 20, 2 times',
    'evalgate/prod CasesJudged: Sum of 5 min',
    'evalgate/prod JudgesFailed: Sum of 5 min',
  ],
  'OIDC issuer unreachable': ['>= 3, 1 times', 'evalgate/prod OidcIssuerUnavailable: Sum of 5 min'],
  'Payment webhook failures': [
    '>= 1, 1 times',
    'evalgate/prod payment_webhook_failed: Sum of 5 min',
    'AWS/Lambda Errors of billing-webhook: Sum of 5 min',
  ],
  'Payment provider failures': ['>= 3, 2 times', 'evalgate/prod PaymentProviderFailed: Sum of 5 min'],
  'Duplicate subscriptions': ['>= 1, 1 times', 'evalgate/prod subscriptions_overlap: Sum of 5 min'],
  'Overage not reported': [
    '>= 1, 1 times',
    'evalgate/prod overage_unconfirmed: Sum of 5 min',
    'evalgate/prod overage_report_failed: Sum of 5 min',
    'AWS/Lambda Errors of billing-reportOverage: Sum of 5 min',
  ],
  'Table consumption': [
    '>= 10000000, 1 times',
    'AWS/DynamoDB ConsumedReadCapacityUnits of Table: Sum of 60 min',
    'AWS/DynamoDB ConsumedWriteCapacityUnits of Table: Sum of 60 min',
  ],
};

test('every alarm watches the metric of its name, with the threshold of its description', () => {
  const watched = ofType('AWS::CloudWatch::Alarm').map(({ Properties }) => {
    const { AlarmName, ComparisonOperator, Threshold, EvaluationPeriods } = Properties;
    const when = `${SIGNS[ComparisonOperator]} ${Threshold}, ${EvaluationPeriods} times`;
    return [AlarmName.replace('evalgate-prod: ', ''), [when, ...statsOf(Properties).map(describeStat)]];
  });
  expect(Object.fromEntries(watched)).toEqual(WATCHED);
});

/** The only dimensions under which AWS counts these. */
const DIMENSIONS: Readonly<Record<string, string>> = {
  'AWS/ApiGateway': 'ApiId',
  'AWS/DynamoDB': 'TableName',
  'AWS/Lambda': 'FunctionName',
  'AWS/SQS': 'QueueName',
};

test('every metric has the dimensions that AWS and the log lines give it', () => {
  for (const { Properties } of ofType('AWS::CloudWatch::Alarm')) {
    for (const { Metric } of statsOf(Properties)) {
      const names = (Metric.Dimensions as readonly { readonly Name: string }[] | undefined)?.map(
        ({ Name }) => Name,
      );
      const wanted = DIMENSIONS[Metric.Namespace];
      // The account's throttles have none, nor have our own metrics.
      expect([Metric.MetricName, names]).toEqual([
        Metric.MetricName,
        wanted === undefined || Metric.MetricName === 'Throttles' ? undefined : [wanted],
      ]);
    }
  }
});

const SHARES: Readonly<Record<string, string>> = {
  'Share of 4xx answers': 'IF(requests >= 50, 100 * FILL(clientErrors, 0) / requests, 0)',
  'Share of judge failures': 'IF(judged >= 20, 100 * FILL(failed, 0) / judged, 0)',
};

test('metrics of several sources are their sum, and percentages have a minimum base', () => {
  for (const { Properties } of ofType('AWS::CloudWatch::Alarm')) {
    const metrics: NonNullable<Alarm['Metrics']> = Properties.Metrics ?? [];
    const names = metrics.flatMap(({ MetricStat, ...metric }) =>
      MetricStat === undefined ? [] : [(metric as unknown as { Id: string }).Id],
    );
    const expressions = metrics.flatMap(({ Expression }) => Expression ?? []);
    const share = SHARES[Properties.AlarmName.replace('evalgate-prod: ', '')];
    if (share !== undefined) {
      expect(expressions).toEqual([share]);
    } else if (names.length > 0) {
      expect(expressions).toEqual([names.map((name) => `FILL(${name}, 0)`).join(' + ')]);
    }
  }
});
