import { describe, expect, test } from '@jest/globals';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Stack } from 'aws-cdk-lib/core';
import { environments } from '../../../infra/aws/environments.ts';
import {
  acknowledgementsOf,
  ENVIRONMENT_NAMES,
  findingsOf,
  synthesize,
  synthesized,
  withApp,
} from './synthesized.ts';

/** The acknowledged findings. A new one needs a reason that a reviewer accepts. */
const EXPLAINED = ['APIG4', 'CFR1', 'CFR3', 'CFR4', 'IAM5[Resource::*]', 'L1', 'S1', 'SMG4'];

describe.each(ENVIRONMENT_NAMES)('%s', (name) => {
  test('AWS Solutions finds nothing that is not explained', () => {
    expect(findingsOf(synthesized(name).app)).toEqual([]);
  });

  test('only these rules are explained away, each time with a sentence', () => {
    const explained = acknowledgementsOf(synthesized(name).app);
    const { isTraced } = synthesized(name).environment;
    const rules = EXPLAINED.filter((rule) => isTraced || !rule.startsWith('IAM5'));
    expect([...new Set(explained.map(({ rule }) => rule))].sort()).toEqual(
      rules.map((rule) => `AwsSolutions-${rule}`),
    );
    for (const { reason } of explained) expect(reason).toMatch(/^[A-Z].{20,}\.$/);
  });
});

test('nothing is found either where the firewall is in another region than the rest', () => {
  expect(findingsOf(synthesize({ ...environments.dev, region: 'eu-central-1' }).app)).toEqual([]);
});

test('a finding of AWS’s checks without an explanation is reported', () => {
  const found = withApp((app) => {
    new Queue(new Stack(app, 'Stack'), 'Queue');
    return findingsOf(app);
  });
  expect(found.join()).toContain('AwsSolutions-SQS4');
});
