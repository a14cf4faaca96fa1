import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readRequest } from './awsRequest.ts';

const place = { region: 'eu-west-1', account: '111122223333' };
const TABLES = 'arn:aws:dynamodb:eu-west-1:111122223333:table/';

function rightsOf(target: string, input: object) {
  const service = { DynamoDB_20120810: 'dynamodb', AmazonSQS: 'sqs', TrentService: 'kms' }[
    target.split('.')[0] ?? ''
  ];
  const scope = `ASIA1234/20260101/eu-west-1/${service}/aws4_request`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=00`;
  return readRequest({ authorization, 'x-amz-target': target }, JSON.stringify(input), place)?.rights;
}

const ACTIONS = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
} as const;
const write = fc.tuple(
  fc.constantFrom<keyof typeof ACTIONS>('Put', 'Update', 'Delete', 'ConditionCheck'),
  fc.stringMatching(/^\w{3,9}$/),
);

test('a transaction needs the right to each of its items, on the table of each', () => {
  fc.assert(
    fc.property(fc.array(write, { minLength: 1, maxLength: 100 }), (writes) => {
      const TransactItems = writes.map(([kind, TableName]) => ({ [kind]: { TableName } }));
      expect(rightsOf('DynamoDB_20120810.TransactWriteItems', { TransactItems })).toEqual(
        writes.map(([kind, TableName]) => ({
          action: `dynamodb:${ACTIONS[kind]}`,
          resource: `${TABLES}${TableName}`,
          context: {},
        })),
      );
    }),
  );
});

test.each([
  ['DynamoDB_20120810.Query', { TableName: 'one' }, ['dynamodb:Query', 'one']],
  [
    'DynamoDB_20120810.TransactGetItems',
    { TransactItems: [{ Get: { TableName: 'one' } }] },
    ['dynamodb:GetItem', 'one'],
  ],
  ['DynamoDB_20120810.BatchGetItem', { RequestItems: { one: {} } }, ['dynamodb:BatchGetItem', 'one']],
  ['DynamoDB_20120810.BatchWriteItem', { RequestItems: { one: {} } }, ['dynamodb:BatchWriteItem', 'one']],
])('%s needs the right of its own name on its table', (target, input, [action, table]) => {
  expect(rightsOf(target, input)).toEqual([{ action, resource: `${TABLES}${table}`, context: {} }]);
});

const Key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'any' } });

test.each([
  ['UpdateItem', { TableName: 'one', Key: Key('a') }, ['a']],
  ['PutItem', { TableName: 'one', Item: { ...Key('a'), Key: { S: 'b' } } }, ['a']],
  ['BatchGetItem', { RequestItems: { one: { Keys: [Key('a'), Key('b')] } } }, ['a', 'b']],
  [
    'TransactWriteItems',
    {
      TransactItems: [
        { Update: { TableName: 'one', Key: Key('a') } },
        { Put: { TableName: 'one', Item: Key('b') } },
        { Delete: { TableName: 'one', Key: Key('c') } },
      ],
    },
    ['a', 'b', 'c'],
  ],
])('%s comes with the partition keys of all its items', (operation, input, keys) => {
  const rights = rightsOf(`DynamoDB_20120810.${operation}`, input) ?? [];
  expect(rights.length).toBeGreaterThan(0);
  for (const { context } of rights) expect(context).toEqual({ 'dynamodb:LeadingKeys': keys });
});

test('an operation without table items, such as PartiQL, needs a right that no role has', () => {
  const rights = rightsOf('DynamoDB_20120810.ExecuteStatement', { Statement: 'SELECT * FROM one' });
  expect(rights).toMatchObject([{ action: 'dynamodb:ExecuteStatement', resource: `${TABLES}undefined` }]);
});

test('a request for a key carries the values of its conditions', () => {
  const KeyId = 'arn:aws:kms:eu-west-1:111122223333:key/1';
  expect(rightsOf('TrentService.Encrypt', { KeyId, EncryptionContext: { org: 'a', keyId: 'b' } })).toEqual([
    {
      action: 'kms:Encrypt',
      resource: KeyId,
      context: { 'kms:EncryptionContext:org': 'a', 'kms:EncryptionContext:keyId': 'b' },
    },
  ]);
  expect(rightsOf('TrentService.Sign', { KeyId: '1', SigningAlgorithm: 'RSASSA_PSS_SHA_256' })).toEqual([
    { action: 'kms:Sign', resource: KeyId, context: { 'kms:SigningAlgorithm': 'RSASSA_PSS_SHA_256' } },
  ]);
});

test('an unsigned request, or one signed for another service, is refused', () => {
  const signed = 'AWS4-HMAC-SHA256 Credential=ASIA1234/20260101/eu-west-1/sqs/aws4_request, Signature=00';
  const target = 'DynamoDB_20120810.Query';
  for (const authorization of [undefined, 'Bearer a', signed, signed.replace('sqs', 's3')]) {
    expect(readRequest({ authorization, 'x-amz-target': target }, '{}', place)).toBeUndefined();
  }
});
