import path from 'node:path';
import { expect, test } from '@jest/globals';
import { readConfig } from '../../../infra/local/config.ts';
import { checkFunctionConfig } from '../../../infra/local/functionConfig.ts';
import { StartupError } from '../../../infra/local/startupError.ts';
import { REPOSITORY_DIR } from '../../support/processes.ts';

test('without any variable, or with empty ones, the defaults hold', () => {
  const defaults = {
    port: 3000,
    host: '127.0.0.1',
    dataDir: path.join(REPOSITORY_DIR, '.evalgate'),
    functionTimeoutMs: 30_000,
    makesDemo: true,
    dynamodbEndpoint: undefined,
    engineBinary: undefined,
    tableName: 'evalgate',
    kms: undefined,
    sqs: undefined,
    payments: { kind: 'simulated' },
    plan: 'free',
    metricsToken: undefined,
  };
  expect(readConfig({})).toEqual(defaults);
  expect(readConfig({ PORT: '', HOST: '', DYNAMODB_ENDPOINT: '', EVALGATE_DATA_DIR: '' })).toEqual(defaults);
});

test.each([
  ['PORT', 'abc'],
  ['PORT', '-1'],
  ['PORT', '65536'],
  ['PORT', '3000.5'],
  ['PORT', ' 3000'],
  ['PORT', '0x10'],
  ['HOST', 'a b'],
  ['FUNCTION_TIMEOUT_SECONDS', '0'],
  ['FUNCTION_TIMEOUT_SECONDS', '3601'],
  ['FUNCTION_TIMEOUT_SECONDS', '1.5'],
  ['DYNAMODB_ENDPOINT', 'localhost:8000'],
  ['DYNAMODB_ENDPOINT', 'ftp://localhost'],
  ['KMS_ENDPOINT', 'localhost:8080'],
  ['SQS_ENDPOINT', 'localhost:9324'],
  ['QUEUE_URL', 'evalgate-runs'],
  ['TABLE_NAME', 'a'],
  ['EVALGATE_DEMO', 'no'],
  ['EVALGATE_PAYMENTS', 'yes'],
  ['EVALGATE_PLAN', 'Scale'],
  ['STRIPE_API_BASE', 'api.stripe.com'],
])('%s=%j is refused in one sentence that names both', (name, value) => {
  const read = () => readConfig({ [name]: value });
  expect(read).toThrow(StartupError);
  expect(read).toThrow(new RegExp(`^${name} must be .+, not ${JSON.stringify(value)}\\.$`));
});

test('KMS needs its endpoint and its key', () => {
  const [KMS_ENDPOINT, KMS_KEY_ID] = ['http://127.0.0.1:8080', 'alias/byok'];
  const kms = { endpoint: KMS_ENDPOINT, keyId: KMS_KEY_ID };
  expect(readConfig({ KMS_ENDPOINT, KMS_KEY_ID })).toMatchObject({ kms });
  for (const half of [{ KMS_ENDPOINT }, { KMS_KEY_ID }, { KMS_ENDPOINT, KMS_KEY_ID: '' }]) {
    expect(() => readConfig(half)).toThrow(/^KMS_ENDPOINT and KMS_KEY_ID must be set together/);
  }
});

test('every wrong variable is named at once', () => {
  expect(() => readConfig({ PORT: 'x', DYNAMODB_ENDPOINT: 'y' })).toThrow(
    /^PORT .+; DYNAMODB_ENDPOINT .+\.$/,
  );
});

test('a queue is named together with its engine; an engine may come alone', () => {
  const SQS_ENDPOINT = 'http://127.0.0.1:9324';
  const QUEUE_URL = `${SQS_ENDPOINT}/000000000000/runs`;
  expect(readConfig({ SQS_ENDPOINT }).sqs).toEqual({ endpoint: SQS_ENDPOINT, queueUrl: undefined });
  expect(readConfig({ SQS_ENDPOINT, QUEUE_URL }).sqs).toEqual({
    endpoint: SQS_ENDPOINT,
    queueUrl: QUEUE_URL,
  });
  expect(() => readConfig({ QUEUE_URL })).toThrow('QUEUE_URL needs SQS_ENDPOINT');
});

test('payments are simulated unless an account is named, and off when they are switched off', () => {
  const STRIPE_SECRET_KEY = 'sk_test_1';
  const STRIPE_API_BASE = 'http://127.0.0.1:12111';
  expect(readConfig({ STRIPE_SECRET_KEY }).payments).toEqual({
    kind: 'stripe',
    apiBase: 'https://api.stripe.com',
  });
  expect(readConfig({ STRIPE_SECRET_KEY, STRIPE_API_BASE }).payments).toMatchObject({
    apiBase: STRIPE_API_BASE,
  });
  expect(readConfig({ STRIPE_SECRET_KEY: '', STRIPE_API_BASE }).payments).toEqual({ kind: 'simulated' });
  expect(readConfig({ STRIPE_SECRET_KEY, EVALGATE_PAYMENTS: 'off' }).payments).toEqual({ kind: 'off' });
});

test.each([
  [{ BASE_URL: 'https://gate.example/v1' }, 'BASE_URL'],
  [{ STRIPE_SECRET_KEY: 'sk_test_1' }, 'STRIPE_WEBHOOK_SECRETS'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
])('what functions could not use stops the start by its name: %j', (environment, name) => {
  expect(() => checkFunctionConfig(environment)).toThrow(StartupError);
  expect(() => checkFunctionConfig(environment)).toThrow(name);
});
