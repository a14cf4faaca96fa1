import { expect, test } from '@jest/globals';
import { contracts } from '../../../shared/contracts/registry.ts';
import { JUDGE_ERROR_CODES } from '../../../shared/domain/evaluation/judging/ports.ts';
import { synthesized } from './synthesized.ts';

const { ofType } = synthesized('prod');

type Line = Readonly<Record<string, string>>;

/** Evaluates our filter patterns like CloudWatch: joined comparisons with texts. */
const matches = (pattern: string, line: Line): boolean => {
  const comparison = /\$\.(\w+) (=|!=) "([^"]*)"/g;
  const decided = pattern.replaceAll(comparison, (_, field: string, operator: string, text: string) =>
    String((line[field] === text) === (operator === '=')),
  );
  if (!/^\{[\s()&|]*((true|false)[\s()&|]*)+\}$/.test(decided)) throw new Error(`Not understood: ${pattern}`);
  return new Function(`return (${decided.slice(1, -1)});`)() as boolean;
};

const [API, EVALUATOR, ACCESS] = ['api:FunctionLog', 'evaluator:FunctionLog', 'api:AccessLog'];
const judged = (outcome: string): Line => ({ code: 'case_judged', outcome });
const completed = (endpoint: string): Line => ({ code: 'request_completed', endpoint });

/** Metric, log group, value per line, matching lines, and similar lines that must not match. */
const COUNTED: readonly (readonly [string, string | undefined, string, readonly Line[], readonly Line[]])[] =
  [
    [
      'RequestDurationMs',
      API,
      '$.duration_ms',
      [completed('projects/get'), completed('runs/get')],
      [
        completed('runs/create'),
        completed('byokKeys/test'),
        { code: 'case_judged', endpoint: 'projects/get' },
      ],
    ],
    [
      'RefusedByGateway',
      ACCESS,
      '1',
      [{ status: '429', integration_status: '-' }],
      [
        { status: '429', integration_status: '200' },
        { status: '200', integration_status: '-' },
      ],
    ],
    ['UnexpectedErrors', API, '1', [{ code: 'unexpected_error' }], [{ code: 'message_failed' }]],
    ['MessagesUnsent', API, '1', [{ code: 'message_unsent' }], [{ code: 'message_failed' }]],
    [
      'OidcIssuerUnavailable',
      API,
      '1',
      [{ code: 'oidc_issuer_unavailable' }],
      [{ code: 'unexpected_error' }],
    ],
    [
      'MessagesFailed',
      EVALUATOR,
      '1',
      [{ code: 'message_failed' }, { code: 'message_invalid' }],
      [{ code: 'message_retained' }],
    ],
    ['RunsGivenUp', EVALUATOR, '$.ended', [{ code: 'sweep_completed' }], [{ code: 'run_unswept' }]],
    ['PurgesFailed', EVALUATOR, '1', [{ code: 'purge_failed' }], [{ code: 'run_unswept' }]],
    ['RunsUnswept', EVALUATOR, '1', [{ code: 'run_unswept' }], [{ code: 'sweep_completed' }]],
    [
      'CasesJudged',
      EVALUATOR,
      '1',
      [judged('verdict'), judged('JUDGE_TIMEOUT')],
      [{ code: 'batch_completed' }],
    ],
    [
      'JudgesFailed',
      EVALUATOR,
      '1',
      [judged('JUDGE_TIMEOUT'), judged('JUDGE_UNAVAILABLE')],
      [judged('verdict'), judged('BYOK_KEY_MISSING'), { code: 'batch_completed', outcome: 'JUDGE_TIMEOUT' }],
    ],
    [
      'PaymentProviderFailed',
      API,
      '1',
      [{ code: 'payment_provider_failed' }],
      [{ code: 'payment_webhook_failed' }],
    ],
  ];

test('every metric filter counts the lines of its name, in the log group where they are written', () => {
  const filters = ofType('AWS::Logs::MetricFilter').map(({ Properties }) => Properties);
  const nameOf = (filter: (typeof filters)[number]) => filter.MetricTransformations[0].MetricName;
  expect(filters.map(nameOf).sort()).toEqual(COUNTED.map(([name]) => name).sort());
  for (const [name, log, value, counted, others] of COUNTED) {
    const filter = filters.find((candidate) => nameOf(candidate) === name);
    const { LogGroupName, FilterPattern, MetricTransformations } = filter ?? {};
    const [, stack, group] =
      /evalgate-prod-(\w+):ExportsOutputRef([A-Za-z]+Log)/.exec(JSON.stringify(LogGroupName)) ?? [];
    expect([name, `${stack}:${group}`, MetricTransformations?.[0].MetricValue]).toEqual([name, log, value]);
    for (const line of counted)
      expect([name, line, matches(FilterPattern, line)]).toEqual([name, line, true]);
    for (const line of others)
      expect([name, line, matches(FilterPattern, line)]).toEqual([name, line, false]);
  }
});

test('endpoints and outcomes that filters name are those that there are', () => {
  const patterns = ofType('AWS::Logs::MetricFilter')
    .map(({ Properties }) => Properties.FilterPattern)
    .join();
  const named = (field: string) =>
    [...patterns.matchAll(new RegExp(`\\$\\.${field} !?= "([^"]+)"`, 'g'))].map(([, text]) => text);
  expect(contracts.map(({ id }) => id)).toEqual(expect.arrayContaining(named('endpoint')));
  expect(JUDGE_ERROR_CODES).toEqual(expect.arrayContaining(named('outcome')));
  expect(named('endpoint').length + named('outcome').length).toBe(4);
});

test('the access log has every field that filters read', () => {
  const [stage] = ofType('AWS::ApiGatewayV2::Stage');
  expect(JSON.parse(stage?.Properties.AccessLogSettings.Format)).toMatchObject({
    status: '$context.status',
    integration_status: '$context.integrationStatus',
    integration_error: '$context.integrationErrorMessage',
    request_id: '$context.requestId',
  });
});
