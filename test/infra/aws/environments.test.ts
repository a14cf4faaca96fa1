import { describe, expect, test } from '@jest/globals';
import { type Environment, environments } from '../../../infra/aws/environments.ts';
import { RATE_LIMITS } from '../../../shared/domain/rateLimits.ts';
import {
  EVALUATOR_BATCH_SIZE,
  EVALUATOR_TIMEOUT_SECONDS,
  VISIBILITY_TIMEOUT_SECONDS,
} from '../../../shared/queue/settings.ts';
import { ENVIRONMENT_NAMES, type Synthesized, synthesized } from './synthesized.ts';

const textOf = (value: unknown): string => JSON.stringify(value);
const variablesOf = ({ functions }: Synthesized, id: string): Readonly<Record<string, unknown>> =>
  functions.find(({ Properties }) => Properties.Description === `functions/${id}.ts`)?.Properties.Environment
    .Variables;

describe.each(ENVIRONMENT_NAMES)('%s', (name) => {
  const environment: Environment = environments[name];
  const deployed = (): Synthesized => synthesized(name);

  test('goes by its own name', () => {
    expect(environment.name).toBe(name);
  });

  test('every function logs at its level, and tokens are those of this environment', () => {
    for (const { Properties } of deployed().functions) {
      const { LOG_LEVEL, TOKEN_ISSUER, TOKEN_KMS_KEY_IDS } = Properties.Environment.Variables;
      expect(LOG_LEVEL).toBe(environment.logLevel);
      expect(TOKEN_ISSUER).toBe(TOKEN_KMS_KEY_IDS && `urn:evalgate:${name}`);
    }
  });

  test('as many messages are evaluated at once as it states, each by an invocation with all of its time', () => {
    const [runs] = deployed().ofType('AWS::Lambda::EventSourceMapping');
    expect(runs?.Properties).toMatchObject({
      BatchSize: EVALUATOR_BATCH_SIZE,
      ScalingConfig: { MaximumConcurrency: environment.evaluatorsMax },
    });
    expect(runs?.Properties.Enabled).not.toBe(false);
    const [evaluator] = deployed().functions.filter(
      ({ Properties }) => Properties.Description === 'functions/evaluator/evaluate.ts',
    );
    expect(evaluator?.Properties.Timeout).toBe(EVALUATOR_TIMEOUT_SECONDS);
    expect(runs?.Properties.FunctionName.Ref).toBe(evaluator?.logicalId);
    const queues = deployed().ofType('AWS::SQS::Queue');
    const queue = queues.find(({ Properties }) => Properties.RedrivePolicy !== undefined);
    expect(queue?.Properties.VisibilityTimeout).toBe(VISIBILITY_TIMEOUT_SECONDS);
  });

  test('only production pays for a table that is warm from the first moment', () => {
    const [table] = deployed().ofType('AWS::DynamoDB::Table');
    const { readUnitsPerSecond, writeUnitsPerSecond } = environment.warmThroughput ?? {};
    expect(table?.Properties.WarmThroughput).toEqual(
      name === 'prod'
        ? { ReadUnitsPerSecond: readUnitsPerSecond, WriteUnitsPerSecond: writeUnitsPerSecond }
        : undefined,
    );
    expect(environment.warmThroughput !== undefined).toBe(name === 'prod');
  });

  test('callers that wait for judges cannot take the executions of the evaluator or of other endpoints', () => {
    const { runsMax, evaluatorsMax } = environment;
    const reserved = deployed()
      .functions.filter(({ Properties }) => Properties.ReservedConcurrentExecutions !== undefined)
      .map(({ Properties }) => [Properties.Description, Properties.ReservedConcurrentExecutions]);
    const wanted = [
      ['functions/evaluator/evaluate.ts', evaluatorsMax],
      ['functions/runs/create.ts', runsMax],
    ];
    expect(reserved.sort()).toEqual(runsMax === undefined ? [] : wanted);
  });

  test('tags separate its costs from those of the others', () => {
    for (const type of ['AWS::DynamoDB::Table', 'AWS::KMS::Key', 'AWS::CloudFront::Distribution']) {
      for (const { Properties } of [...deployed().functions, ...deployed().ofType(type)]) {
        expect(Properties.Tags).toContainEqual({ Key: 'environment', Value: name });
      }
    }
  });

  test('its firewall and its API let through more than one address may send', () => {
    const { requests, windowMs } = RATE_LIMITS.general;
    expect(environment.firewallRequestsPer5Minutes).toBeGreaterThan((requests * 300_000) / windowMs);
    expect(environment.apiRequestsPerSecond).toBeGreaterThan((requests * 1_000) / windowMs);
    expect(environment.apiRequestsBurst).toBeGreaterThanOrEqual(environment.apiRequestsPerSecond);
  });
});

test('an account with 10 executions takes dev, and one with 1,000 staging and prod with 100 and more left for all others', () => {
  const reservedIn = (name: keyof typeof environments): number => {
    const { runsMax, evaluatorsMax } = environments[name];
    return runsMax === undefined ? 0 : runsMax + evaluatorsMax;
  };
  expect(reservedIn('dev')).toBe(0);
  expect(environments.dev.evaluatorsMax).toBeLessThan(10);
  expect(reservedIn('staging') + reservedIn('prod')).toBeLessThanOrEqual(900);
});

test('data is kept outside dev, logs are kept long enough, and production writes no debug lines', () => {
  const kept = ENVIRONMENT_NAMES.map((name) => {
    const { keepsData, logRetentionDays, logLevel } = environments[name];
    return [name, keepsData, logRetentionDays >= 30, logLevel];
  });
  expect(kept).toEqual([
    ['dev', false, false, 'debug'],
    ['staging', true, true, 'info'],
    ['prod', true, true, 'info'],
  ]);
  expect(environments.prod.logRetentionDays).toBe(365);
});

test('sign-up that is closed is closed in the function that signs up', () => {
  const closed = synthesized('changed');
  expect(variablesOf(closed, 'auth/signup').SIGN_UP).toBe('closed');
  expect(variablesOf(synthesized('dev'), 'auth/signup').SIGN_UP).toBe('open');
});

test('the key that signs is the environment’s to say; both verify, in every function that takes tokens', () => {
  const second = synthesized('changed');
  const orderOf = (of: Synthesized, id: string): string[] =>
    textOf(variablesOf(of, id).TOKEN_KMS_KEY_IDS).match(/(First|Second)TokenKey/g) ?? [];
  for (const id of ['auth/token', 'auth/jwks', 'projects/get']) {
    expect(orderOf(synthesized('dev'), id)).toEqual(['FirstTokenKey', 'SecondTokenKey']);
    expect(orderOf(second, id)).toEqual(['SecondTokenKey', 'FirstTokenKey']);
  }
});

test('each price has its own variable', () => {
  const paid = synthesized('paid');
  for (const id of ['billing/checkout', 'billing/webhook', 'billing/reportOverage']) {
    expect(variablesOf(paid, id)).toMatchObject({
      STRIPE_PRICE_PRO: 'price_1',
      STRIPE_PRICE_SCALE: 'price_2',
      STRIPE_PRICE_PRO_OVERAGE: 'price_3',
      STRIPE_PRICE_SCALE_OVERAGE: 'price_4',
      STRIPE_METER_EVENT_NAME: 'runs',
    });
  }
});

test('with a new revision of secrets everything that holds one is deployed anew, so that it is read again', () => {
  const before = synthesized('paid');
  const after = synthesized('paidWithNewSecrets');
  const holders = before.resources.filter(({ Properties }) => textOf(Properties).includes('{{resolve:'));
  expect(holders.length).toBeGreaterThan(40);
  for (const { stack, logicalId, Properties } of holders) {
    const next = after.resources.find((other) => other.stack === stack && other.logicalId === logicalId);
    expect([logicalId, textOf(next?.Properties) === textOf(Properties)]).toEqual([logicalId, false]);
  }
});

test('the configured address subscribes to alarms', () => {
  const withAlarm = synthesized('changed');
  const [subscription] = withAlarm.ofType('AWS::SNS::Subscription');
  expect(subscription?.Properties).toMatchObject({ Protocol: 'email', Endpoint: 'oncall@gate.example' });
  expect(textOf(subscription?.Properties.TopicArn)).toContain('Alarms');
});
