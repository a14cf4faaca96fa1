import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { functionName, WORKERS } from '../../../../infra/aws/functions.ts';
import { anchorOf } from '../../../../infra/aws/monitoring/alarm.ts';
import { ALARMS } from '../../../../infra/aws/monitoring/alarms.ts';
import { ENVIRONMENT_NAMES, synthesized } from '../synthesized.ts';

const runbook = readFileSync('docs/runbook.md', 'utf8');
const headings = [...runbook.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title);

test('the runbook has exactly one section for each alarm, in the same order', () => {
  expect(headings).toEqual(ALARMS.map(({ title }) => title));
});

test('every section names where to look', () => {
  for (const section of runbook.split(/^## /m).slice(1)) {
    expect(section.length).toBeGreaterThan(150);
    expect(section).toMatch(/Look:|`overage_report_failed`/);
  }
});

test('every command of the CDK names its environment', () => {
  const pages = ['README.md', 'docs/deploy.md'].map((file) => readFileSync(file, 'utf8')).join('\n');
  const commands = [...pages.matchAll(/npx cdk .*/g)].map(([command]) => command);
  expect(commands.length).toBeGreaterThan(4);
  for (const command of commands) expect(command).toMatch(/ -c env=/);
});

test('every log code that alarms filter for is one that functions write', () => {
  const source = readFileSync('shared/runtime/log.ts', 'utf8');
  const codes = [...source.matchAll(/^ {2}(\w+): '/gm)].map(([, code]) => code);
  const filtered = [...new Set(synthesized('dev').ofType('AWS::Logs::MetricFilter').flatMap(codesOf))];
  expect(filtered.length).toBeGreaterThan(8);
  expect(codes).toEqual(expect.arrayContaining(filtered));
});

test('every embedded metric that alarms count is one that functions write', () => {
  const sources = ['shared/http/rateLimit.ts', 'shared/billing/billingLog.ts'].map((file) =>
    readFileSync(file, 'utf8'),
  );
  const { ofType } = synthesized('dev');
  const filtered = ofType('AWS::Logs::MetricFilter').map(
    ({ Properties }) => Properties.MetricTransformations[0].MetricName,
  );
  const watched = ofType('AWS::CloudWatch::Alarm')
    .flatMap(({ Properties }) => [Properties, ...metricsOf(Properties)])
    .filter(({ Namespace }) => Namespace === 'evalgate/dev')
    .map(({ MetricName }) => MetricName);
  const embedded = watched.filter((name) => !filtered.includes(name));
  expect(embedded.length).toBeGreaterThan(3);
  for (const name of embedded) expect(sources.join()).toContain(`'${name}'`);
});

interface AlarmProperties {
  readonly Metrics?: readonly { readonly MetricStat?: { readonly Metric: NamedMetric } }[];
}
interface NamedMetric {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[];
}
const metricsOf = ({ Metrics = [] }: AlarmProperties): readonly NamedMetric[] =>
  Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []);

function codesOf({ Properties }: { Properties: Record<string, unknown> }): string[] {
  return [...String(Properties.FilterPattern).matchAll(/\$\.code = "(\w+)"/g)].map(([, code = '']) => code);
}

describe.each(ENVIRONMENT_NAMES)('%s', (name) => {
  const alarms = () => synthesized(name).ofType('AWS::CloudWatch::Alarm');

  test('every alarm states its impact, links to the runbook, and is sent to the topic', () => {
    expect(alarms().map(({ Properties }) => Properties.AlarmName)).toEqual(
      ALARMS.map(({ title }) => `evalgate-${name}: ${title}`),
    );
    for (const [index, { Properties }] of alarms().entries()) {
      const { title, impact } = ALARMS[index]!;
      expect(impact).toMatch(/^[A-Z].{30,}\.$/);
      expect(Properties.AlarmDescription).toBe(`${impact} What to do: docs/runbook.md#${anchorOf(title)}`);
      expect(Properties.AlarmActions).toEqual([{ Ref: expect.stringMatching(/^Alarms/) }]);
    }
  });

  test('alarms may publish to the topic, and only by TLS', () => {
    const [policy] = synthesized(name).ofType('AWS::SNS::TopicPolicy');
    const { Statement } = policy?.Properties.PolicyDocument ?? {};
    expect(Statement).toMatchObject([
      { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
      { Effect: 'Allow', Principal: { Service: 'cloudwatch.amazonaws.com' }, Action: 'sns:Publish' },
    ]);
  });

  test('missing data raises an alarm for the sweeper only', () => {
    const silent = alarms().filter(({ Properties }) => Properties.TreatMissingData === 'breaching');
    expect(silent.map(({ Properties }) => Properties.AlarmName)).toEqual([
      `evalgate-${name}: Sweeps missing`,
    ]);
    for (const { Properties } of alarms()) expect(Properties.TreatMissingData).toMatch(/reaching$/i);
  });

  test('each environment has its own metrics', () => {
    for (const { Properties } of synthesized(name).ofType('AWS::Logs::MetricFilter')) {
      for (const { MetricNamespace } of Properties.MetricTransformations) {
        expect(MetricNamespace).toBe(`evalgate/${name}`);
      }
    }
    for (const { Properties } of synthesized(name).functions) {
      expect(Properties.Environment.Variables.METRICS_NAMESPACE).toBe(`evalgate/${name}`);
    }
  });

  test('every function that an alarm names is deployed', () => {
    const functions = synthesized(name).functions.map(({ Properties }) => Properties.FunctionName);
    const text = JSON.stringify(alarms());
    const namedByAlarms = [...text.matchAll(/"Name":"FunctionName","Value":"([^"]+)"/g)].map(([, of]) => of);
    const workers = Object.values(WORKERS).map((id) => functionName(name, id));
    expect([...new Set(namedByAlarms)].sort()).toEqual(
      [...workers, functionName(name, 'billing/webhook')].sort(),
    );
    for (const watched of namedByAlarms) expect(functions).toContain(watched);
  });

  test('every scheduled function runs often enough for its alarm to notice a failure', () => {
    const { ofType, functions } = synthesized(name);
    const named = new Map(functions.map(({ logicalId, Properties }) => [logicalId, Properties]));
    const rules = ofType('AWS::Events::Rule');
    expect(rules).toHaveLength(2 + 8 + 8);
    for (const { Properties: rule } of rules) {
      const { FunctionName } = named.get(rule.Targets[0].Arn['Fn::GetAtt'][0]) ?? {};
      const alarm = alarms().find(({ Properties }) =>
        metricsOf(Properties).some(
          ({ MetricName, Dimensions }) => MetricName === 'Errors' && Dimensions?.[0]?.Value === FunctionName,
        ),
      );
      const { Threshold, EvaluationPeriods } = alarm?.Properties ?? {};
      const failures = { 'rate(1 minute)': 5, 'rate(1 hour)': 1 }[String(rule.ScheduleExpression)];
      expect(Threshold).toBeLessThanOrEqual(failures ?? 0);
      if (failures === 1) expect(EvaluationPeriods).toBe(1);
    }
  });

  test('a dead letter that has just failed again still counts', () => {
    const stay = alarms().find(({ Properties }) => Properties.AlarmName.endsWith(': Dead letters'));
    expect(metricsOf(stay?.Properties ?? {}).map(({ MetricName }) => MetricName)).toEqual([
      'ApproximateNumberOfMessagesVisible',
      'ApproximateNumberOfMessagesNotVisible',
    ]);
  });

  test('the dashboard is JSON with a widget for everything it draws', () => {
    const [dashboard] = synthesized(name).ofType('AWS::CloudWatch::Dashboard');
    const parts: unknown[] = dashboard?.Properties.DashboardBody['Fn::Join'][1];
    const { widgets } = JSON.parse(
      parts.map((part) => (typeof part === 'string' ? part : 'reference')).join(''),
    );
    expect(widgets.length).toBeGreaterThan(9);
    for (const { type, width, height, properties } of widgets) {
      expect([type, width, height]).toEqual(type === 'text' ? ['text', 24, 1] : ['metric', 8, 6]);
      expect(properties[type === 'text' ? 'markdown' : 'metrics'].length).toBeGreaterThan(0);
    }
  });

  test('one dashboard shows every metric that an alarm watches', () => {
    const [dashboard, ...others] = synthesized(name).ofType('AWS::CloudWatch::Dashboard');
    expect(others).toEqual([]);
    const body = JSON.stringify(dashboard?.Properties.DashboardBody);
    for (const { Properties } of synthesized(name).ofType('AWS::Logs::MetricFilter')) {
      expect(body).toContain(Properties.MetricTransformations[0].MetricName);
    }
  });
});
