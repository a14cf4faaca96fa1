import { expect, test } from '@jest/globals';
import { functionIds } from '../../../../infra/aws/functions.ts';
import { contracts } from '../../../../shared/contracts/registry.ts';
import { allows, statementSchema } from '../cloud/policy.ts';
import { synthesized } from '../synthesized.ts';
import { deployedRights } from './deployedRights.ts';

/** Of the lists that `shared/storage/lists/lists.ts` keeps. */

const deployed = deployedRights();

const holders = (action: string): string[] =>
  [...deployed].flatMap(([id, { statements }]) =>
    statements.some(({ Action }) => [Action].flat().includes(action)) ? [id] : [],
  );
const knowing = (variable: string): string[] =>
  [...deployed].flatMap(([id, { variables }]) => (variables.includes(variable) ? [id] : []));

test('every function has a role', () => {
  expect([...deployed.keys()].sort()).toEqual([...functionIds].sort());
});

test('nothing but IAM policies of the account lets a principal invoke the operator’s function', () => {
  const { resources } = synthesized('dev');
  const mentions = resources.filter(({ Properties }) =>
    JSON.stringify(Properties ?? {}).includes('OperatorCommand'),
  );
  expect(mentions.map(({ Type }) => Type)).toEqual(['AWS::Lambda::Function']);
});

test('only the evaluator opens BYOK keys and only the end of a sign-in its secret, neither the other; only storing one encrypts', () => {
  expect(holders('kms:Decrypt').sort()).toEqual(['auth/finishSignIn', 'evaluator/evaluate']);
  expect(holders('kms:Encrypt').sort()).toEqual(['byokKeys/create', 'signIn/put']);
  const both = ['auth/finishSignIn', 'byokKeys/create', 'evaluator/evaluate', 'signIn/put'];
  expect(knowing('KMS_KEY_ID').sort()).toEqual(both);
  const ofProvider = (id: string) =>
    deployed.get(id)?.statements.find(({ Action }) => Action === 'kms:Decrypt')?.Condition;
  const secret = { 'kms:EncryptionContext:provider': 'sign_in' };
  expect(ofProvider('auth/finishSignIn')).toMatchObject({ StringEquals: secret });
  expect(ofProvider('evaluator/evaluate')).toMatchObject({ StringNotEquals: secret });
});

test('only functions that issue tokens may sign; functions that verify them may read public keys', () => {
  const signing = [
    'auth/token',
    'auth/createSession',
    'auth/beginSignIn',
    'auth/finishSignIn',
    'auth/createCliCode',
  ];
  expect(holders('kms:Sign').sort()).toEqual([...signing, 'runs/statement'].sort());
  const taking = contracts.filter(({ access }) => access === 'api_key').map(({ id }) => id);
  expect(holders('kms:GetPublicKey').sort()).toEqual(
    [...new Set([...taking, ...signing, 'auth/jwks', 'runs/statementKeys'])].sort(),
  );
});

test('BYOK keys are encrypted and opened with the context of their organisation only', () => {
  for (const { statements } of deployed.values()) {
    for (const statement of statements) {
      if (!/^kms:(Encrypt|Decrypt)$/.test(String(statement.Action))) continue;
      expect(statement).toMatchObject({
        Condition: {
          Null: {
            'kms:EncryptionContext:org': 'false',
            'kms:EncryptionContext:provider': 'false',
            'kms:EncryptionContext:keyId': 'false',
          },
        },
      });
    }
  }
});

test('one function signs statements, by their own keys; it and the one that publishes them may read these, no other', () => {
  const ofStatements = (id: string) =>
    (deployed.get(id)?.statements ?? []).filter(({ Resource }) =>
      JSON.stringify(Resource ?? '').includes('StatementKey'),
    );
  const using = [...deployed.keys()].filter((id) => ofStatements(id).length > 0);
  expect(using.sort()).toEqual(['runs/statement', 'runs/statementKeys']);
  expect(ofStatements('runs/statement')).toMatchObject([
    { Action: 'kms:GetPublicKey' },
    { Action: 'kms:Sign', Condition: { StringEquals: { 'kms:SigningAlgorithm': 'ECDSA_SHA_256' } } },
  ]);
  expect(ofStatements('runs/statementKeys')).toMatchObject([{ Action: 'kms:GetPublicKey' }]);
  expect(knowing('STATEMENT_KMS_KEY_IDS').sort()).toEqual(['runs/statement', 'runs/statementKeys']);
});

test('each role allows one signing algorithm only', () => {
  const signing = [...deployed.values()].flatMap(({ statements }) =>
    statements.filter(({ Action }) => [Action].flat().includes('kms:Sign')),
  );
  expect(signing).toHaveLength(6);
  for (const statement of signing.filter(
    ({ Resource }) => !JSON.stringify(Resource).includes('StatementKey'),
  )) {
    expect(statement).toMatchObject({
      Action: 'kms:Sign',
      Condition: { StringEquals: { 'kms:SigningAlgorithm': 'RSASSA_PKCS1_V1_5_SHA_256' } },
    });
  }
});

test('only billing functions and the purge know the payment provider’s secrets, and none may read secrets', () => {
  expect(knowing('STRIPE_SECRET_KEY').sort()).toEqual([
    'billing/checkout',
    'billing/portal',
    'billing/reportOverage',
    'billing/webhook',
    'evaluator/purge',
  ]);
  expect(holders('secretsmanager:GetSecretValue')).toEqual([]);
});

test('no read writes: endpoints that only read may touch the table for counting and last use alone', () => {
  const reading = contracts.filter(({ method, access }) => method === 'GET' && access === 'api_key');
  for (const action of ['PutItem', 'DeleteItem', 'ConditionCheckItem']) {
    const writing = new Set(holders(`dynamodb:${action}`));
    expect(reading.filter(({ id }) => writing.has(id))).toEqual([]);
  }
  expect(holders('dynamodb:Scan')).toEqual([]);
});

const RESOURCE = 'arn:aws:dynamodb:us-east-1:000000000000:table/evalgate';

/** The kinds of items that a function may update. */
function updatable(id: string): string[] {
  const statements = (deployed.get(id)?.statements ?? [])
    .filter(({ Action }) => [Action].flat().includes('dynamodb:UpdateItem'))
    .map((statement) => statementSchema.parse({ ...statement, Resource: RESOURCE }));
  return ['RATE#general#1', 'RATE#auth#1', 'APIKEY#1', 'ORG#1', 'CUSTOMER#1', 'PENDING#1', undefined].flatMap(
    (key = 'unknown') => {
      const context = key === 'unknown' ? {} : { 'dynamodb:LeadingKeys': [key] };
      return allows(statements, { action: 'dynamodb:UpdateItem', resource: RESOURCE, context }) ? [key] : [];
    },
  );
}

test('UpdateItem is limited to the function’s class of rate limits and the use of keys, where nothing else needs it', () => {
  const expected = contracts.flatMap(({ id, method, access, rateClass }) => {
    const counters = rateClass === 'none' ? [] : [`RATE#${rateClass}#1`];
    if (access === 'api_key' && method === 'GET') return [[id, [...counters, 'APIKEY#1']]];
    // It notes the use of a registration.
    if (id === 'auth/finishSignIn') return [[id, [...counters, 'ORG#1']]];
    return access === 'api_key' || id === 'auth/token' || id === 'billing/webhook' ? [] : [[id, counters]];
  });
  expect(expected.length).toBeGreaterThan(20);
  expect(expected.map(([id]) => [id, updatable(String(id))])).toEqual(expected);
  for (const id of ['projects/update', 'trustedIssuers/delete', 'byokKeys/test']) {
    expect(updatable(id)).toEqual(['RATE#general#1', 'APIKEY#1']);
  }
});
