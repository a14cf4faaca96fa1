import { expect, test } from '@jest/globals';
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
