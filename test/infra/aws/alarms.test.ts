import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { ALARMS, anchorOf } from '../../../infra/aws/alarms.ts';
import { WORKERS } from '../../../infra/aws/functions.ts';
import { ENVIRONMENT_NAMES, synthesized } from './synthesized.ts';

const runbook = readFileSync('docs/runbook.md', 'utf8');
const [sections = '', procedures = ''] = runbook.split('\n# Procedures\n');
const headings = (text: string) => [...text.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title);

test('the runbook has a section for each alarm, in the same order, and none for no alarm', () => {
  expect(headings(sections)).toEqual(ALARMS.map(({ title }) => title));
});

test('every section says what to look at', () => {
  for (const section of sections.split(/^## /m).slice(1)) {
    expect(section.length).toBeGreaterThan(150);
    expect(section).toMatch(/Look:|`overage_report_failed`/);
  }
});

test('links inside the runbook lead to its headings', () => {
  const anchors = [...headings(sections), ...headings(procedures)].map(anchorOf);
  for (const [, anchor = ''] of runbook.matchAll(/\]\(#([^)]+)\)/g)) expect(anchors).toContain(anchor);
});

test('what alarms look for in the log is what functions write', () => {
  const source = readFileSync('shared/runtime/log.ts', 'utf8');
  const codes = [...source.matchAll(/\| '(\w+)'/g)].map(([, code]) => code);
  const filtered = [...new Set(synthesized('dev').ofType('AWS::Logs::MetricFilter').flatMap(codesOf))];
  expect(filtered.length).toBeGreaterThan(8);
  expect(codes).toEqual(expect.arrayContaining(filtered));
});

function codesOf({ Properties }: { Properties: Record<string, unknown> }): string[] {
  return [...String(Properties.FilterPattern).matchAll(/\$\.code = "(\w+)"/g)].map(([, code = '']) => code);
}

describe.each(ENVIRONMENT_NAMES)('%s', (name) => {
  const alarms = () => synthesized(name).ofType('AWS::CloudWatch::Alarm');

  test('every alarm says what it means and where it is told what to do, and tells somebody', () => {
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

  test('alarms may publish, and nobody without TLS', () => {
    const [policy] = synthesized(name).ofType('AWS::SNS::TopicPolicy');
    const { Statement } = policy?.Properties.PolicyDocument ?? {};
    expect(Statement).toMatchObject([
      { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
      { Effect: 'Allow', Principal: { Service: 'cloudwatch.amazonaws.com' }, Action: 'sns:Publish' },
    ]);
  });

  test('silence is bad of the sweeper only', () => {
    const silent = alarms().filter(({ Properties }) => Properties.TreatMissingData === 'breaching');
    expect(silent.map(({ Properties }) => Properties.AlarmName)).toEqual([
      `evalgate-${name}: Sweeper is silent`,
    ]);
    for (const { Properties } of alarms()) expect(Properties.TreatMissingData).toMatch(/reaching$/i);
  });

  test('figures of one environment are not those of another', () => {
    for (const { Properties } of synthesized(name).ofType('AWS::Logs::MetricFilter')) {
      for (const { MetricNamespace } of Properties.MetricTransformations) {
        expect(MetricNamespace).toBe(`evalgate/${name}`);
      }
    }
  });

  test('functions that alarms name are deployed', () => {
    const functions = synthesized(name)
      .ofType('AWS::Lambda::Function')
      .map(({ Properties }) => Properties.FunctionName);
    const text = JSON.stringify(alarms());
    const namedByAlarms = [...text.matchAll(/"Name":"FunctionName","Value":"([^"]+)"/g)].map(([, of]) => of);
    expect(new Set(namedByAlarms).size).toBe(Object.keys(WORKERS).length);
    for (const watched of namedByAlarms) expect(functions).toContain(watched);
  });

  test('one dashboard shows every figure that an alarm watches', () => {
    const [dashboard, ...others] = synthesized(name).ofType('AWS::CloudWatch::Dashboard');
    expect(others).toEqual([]);
    const body = JSON.stringify(dashboard?.Properties.DashboardBody);
    for (const { Properties } of synthesized(name).ofType('AWS::Logs::MetricFilter')) {
      expect(body).toContain(Properties.MetricTransformations[0].MetricName);
    }
  });
});
