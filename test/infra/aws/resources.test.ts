import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../../../shared/runtime/config.ts';
import { ENVIRONMENT_NAMES, synthesized } from './synthesized.ts';

/** The resource types of a deployment. Adding one, such as a second entrance, is a decision. */
const TYPES = [
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::Route',
  'AWS::ApiGatewayV2::Stage',
  'AWS::CloudFront::CachePolicy',
  'AWS::CloudFront::Distribution',
  'AWS::CloudFront::Function',
  'AWS::CloudFront::OriginAccessControl',
  'AWS::CloudFront::OriginRequestPolicy',
  'AWS::CloudFront::ResponseHeadersPolicy',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::DynamoDB::Table',
  'AWS::Events::Rule',
  'AWS::IAM::Role',
  'AWS::KMS::Key',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Function',
  'AWS::Lambda::LayerVersion',
  'AWS::Lambda::Permission',
  'AWS::Logs::LogGroup',
  'AWS::Logs::MetricFilter',
  'AWS::S3::Bucket',
  'AWS::S3::BucketPolicy',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::Queue',
  'AWS::SQS::QueuePolicy',
  'AWS::SecretsManager::Secret',
  'AWS::WAFv2::WebACL',
  'Custom::CDKBucketDeployment',
];
/** In dev alone the bucket of the pages goes with its stack, and has to be emptied before. */
const OF_DEV = ['Custom::S3AutoDeleteObjects'];

describe.each(ENVIRONMENT_NAMES)('%s', (name) => {
  const ofType = (type: string) => synthesized(name).ofType(type);

  test('consists of known resource types only: no other entrance, no hidden costs', () => {
    const found = new Set(synthesized(name).resources.map(({ Type }) => Type));
    expect([...found].sort()).toEqual([...TYPES, ...(name === 'dev' ? OF_DEV : [])]);
  });

  test('functions are invoked by the API’s routes and the schedules only, and their roles taken by Lambda only', () => {
    const invokers = ofType('AWS::Lambda::Permission').map(({ Properties }) => Properties);
    for (const { Principal, Action, SourceArn } of invokers) {
      expect(Action).toBe('lambda:InvokeFunction');
      expect(Principal).toMatch(/^(apigateway|events)\.amazonaws\.com$/);
      expect(SourceArn).toBeDefined();
    }
    for (const { Properties } of ofType('AWS::IAM::Role')) {
      expect(Properties.AssumeRolePolicyDocument.Statement).toEqual([
        { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } },
      ]);
    }
  });

  test('the API answers no pages of other sites', () => {
    const [api] = ofType('AWS::ApiGatewayV2::Api');
    expect(api?.Properties).not.toHaveProperty('CorsConfiguration');
  });

  test('the origin secret is long and contains no comma', () => {
    const secrets = ofType('AWS::SecretsManager::Secret').filter(({ logicalId }) =>
      logicalId.includes('OriginSecret'),
    );
    expect(secrets).toHaveLength(2);
    for (const { Properties } of secrets) {
      const { PasswordLength, ExcludePunctuation } = Properties.GenerateSecretString;
      expect(ExcludePunctuation).toBe(true);
      const made = 'a'.repeat(PasswordLength);
      const config = readConfig({ TABLE_NAME: 'table', ORIGIN_SECRETS: `${made},${made}` });
      expect(config.originSecrets).toHaveLength(2);
    }
  });

  test('a key that was deleted by mistake can be brought back for a month', () => {
    for (const { Properties } of ofType('AWS::KMS::Key')) {
      expect(Properties.PendingWindowInDays ?? 30).toBe(30);
    }
  });

  test('a scheduled run that fails is not repeated: the next one is coming', () => {
    const once = { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 };
    const rules = ofType('AWS::Events::Rule');
    for (const { Properties } of rules) {
      expect(Properties.Targets).toEqual([expect.objectContaining({ RetryPolicy: once })]);
    }
    const invoked = ofType('AWS::Lambda::EventInvokeConfig');
    const scheduled = new Set(rules.map(({ Properties }) => Properties.Targets[0].Arn['Fn::GetAtt'][0]));
    expect(new Set(invoked.map(({ Properties }) => Properties.FunctionName.Ref))).toEqual(scheduled);
    for (const { Properties } of invoked) expect(Properties).toMatchObject(once);
  });
});
