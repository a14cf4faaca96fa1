import { describe, expect, test } from '@jest/globals';
import { ENVIRONMENT_NAMES, probes, synthesized } from './synthesized.ts';

/** What is copied for the dashboard has other names each time. */
const ASSETS = 'IAM5[Resource::<PagesBucket1F9960AC.Arn>/assets/*]';
/** The acknowledged findings. A new one needs a reason that a reviewer accepts. */
const EXPLAINED = ['APIG4', 'CFR1', 'CFR3', 'CFR4', 'IAM5[Resource::*]', ASSETS, 'L1', 'S1', 'SMG4'];

describe.each(ENVIRONMENT_NAMES)('%s', (name) => {
  test('AWS Solutions finds nothing that is not explained', () => {
    expect(synthesized(name).findings).toEqual([]);
  });

  test('only these rules are explained away, each time with a sentence', () => {
    const { acknowledgements, environment } = synthesized(name);
    const rules = EXPLAINED.filter((rule) => environment.isTraced || rule !== 'IAM5[Resource::*]');
    expect([...new Set(acknowledgements.map(({ rule }) => rule))].sort()).toEqual(
      rules.map((rule) => `AwsSolutions-${rule}`),
    );
    for (const { reason } of acknowledgements) expect(reason).toMatch(/^[A-Z].{20,}\.$/);
  });
});

test('nothing is found either where the firewall is in another region than the rest', () => {
  expect(synthesized('changed').findings).toEqual([]);
});

test('a finding of AWS’s checks without an explanation is reported', () => {
  expect(probes().findingsOfBareQueue.join()).toContain('AwsSolutions-SQS4');
});
