import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';

/** The baseline of cold starts: a minimal handler that reads an item and returns it. */
const endpoint = process.env.DYNAMODB_ENDPOINT;
const client = DynamoDBDocumentClient.from(new DynamoDBClient(endpoint === undefined ? {} : { endpoint }));

export async function handler() {
  const key = { pk: 'ORG#none', sk: 'ORG' };
  const { Item } = await client.send(new GetCommand({ TableName: process.env.TABLE_NAME, Key: key }));
  return { statusCode: Item === undefined ? 404 : 200, body: JSON.stringify(Item ?? {}) };
}
