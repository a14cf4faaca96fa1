import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { TABLE_NAME } from './ownService.ts';
import { rawItems } from './rawItems.ts';

/** Deletes expired items like DynamoDB; the embedded engine does not. */
export async function dropExpired(engine: { readonly endpoint: string }, nowMs: number): Promise<number> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: engine.endpoint }));
  const expired = (await rawItems(engine)).filter(
    ({ expires_at }) => typeof expires_at === 'number' && expires_at * 1_000 <= nowMs,
  );
  for (const { pk, sk } of expired) {
    await client.send(new DeleteCommand({ TableName: TABLE_NAME, Key: { pk, sk } }));
  }
  client.destroy();
  return expired.length;
}
