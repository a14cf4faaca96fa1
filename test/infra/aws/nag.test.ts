import { describe, expect, test } from '@jest/globals';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { App, Stack } from 'aws-cdk-lib/core';
import { ENVIRONMENT_NAMES, findingsOf, synthesized } from './synthesized.ts';

describe.each(ENVIRONMENT_NAMES)('%s', (name) => {
  test('AWS Solutions finds nothing that is not explained', () => {
    expect(findingsOf(synthesized(name).app)).toEqual([]);
  });
});

test('what is not as it should be is found', () => {
  const app = new App();
  new Queue(new Stack(app, 'Stack'), 'Queue');
  expect(findingsOf(app).join()).toContain('AwsSolutions-SQS4');
});
