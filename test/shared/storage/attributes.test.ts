import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fromAttributes, toAttributes, withAttributes } from '../../../shared/storage/attributes.ts';
import { type OwnTable, startOwnTable, TABLE_NAME } from '../../support/ownService.ts';

const name = fc.string({ minLength: 1 }).filter((text) => text !== '__proto__');
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    fc.boolean(),
    fc.constant(null),
    fc.maxSafeInteger(),
    // The SDK refuses numbers that may have been rounded; DynamoDB knows no negative zero.
    fc.double({ min: -1e15, max: 1e15, noNaN: true }).map((number) => Number(number.toPrecision(15)) + 0),
    fc.uint8Array(),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(name, tie('value'), { maxKeys: 5, noNullPrototype: true }),
  ),
})).value;
const item = fc.dictionary(name, value, { maxKeys: 8, noNullPrototype: true });

describe('an item in the types of DynamoDB', () => {
  test('is the same item again', () => {
    fc.assert(fc.property(item, (given) => expect(fromAttributes(toAttributes(given))).toEqual(given)));
  });

  test('has no fields that are undefined, at any depth', () => {
    const given = { a: undefined, b: { c: undefined, d: [1, undefined] }, e: 1 };
    expect(fromAttributes(toAttributes(given))).toStrictEqual({ b: { d: [1] }, e: 1 });
  });

  test('leaves the rest of its request as it is', () => {
    const request = {
      Key: { pk: 'a' },
      ConditionExpression: 'b = :b',
      ExpressionAttributeNames: { '#c': 'c' },
      ExpressionAttributeValues: { ':b': [1, undefined], ':c': undefined },
      ExclusiveStartKey: undefined,
    };
    expect(withAttributes(request)).toStrictEqual({
      ...request,
      Key: { pk: { S: 'a' } },
      ExpressionAttributeValues: { ':b': { L: [{ N: '1' }] } },
    });
  });
});

describe('requests of one kind at the same time', () => {
  let own: OwnTable;
  let reader: DynamoDBDocumentClient;
  beforeAll(async () => {
    own = await startOwnTable();
    reader = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: own.endpoint }));
  });
  afterAll(async () => {
    reader.destroy();
    await own.stop();
  });

  test('carry and answer each its own, as the SDK itself reads it', async () => {
    const keys = Array.from({ length: 50 }, (_, nth) => ({ pk: 'at once', sk: String(nth) }));
    await Promise.all(keys.map((key, nth) => own.table.put({ ...key, nth, bytes: Buffer.from([nth]) })));
    const read = await Promise.all(keys.map((key) => own.table.get(key)));
    const bySdk = await Promise.all(
      keys.map(async (Key) => (await reader.send(new GetCommand({ TableName: TABLE_NAME, Key }))).Item),
    );
    const expected = keys.map((key, nth) => ({ ...key, nth, bytes: new Uint8Array([nth]) }));
    expect(read).toEqual(expected);
    expect(bySdk).toEqual(expected);
    const adding = keys.map((Key, nth) =>
      own.table.update({ Key, UpdateExpression: 'ADD nth :by', ExpressionAttributeValues: { ':by': nth } }),
    );
    expect((await Promise.all(adding)).map(({ item }) => item?.nth)).toEqual(keys.map((_, nth) => 2 * nth));
  });
});
