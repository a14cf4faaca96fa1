import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Item } from '../../shared/storage/table/table.ts';

/** All items that an engine stores, including deleted and expired ones. */
export async function itemsBehind(endpoint: string, tableName: string): Promise<Item[]> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint }));
  const items: Item[] = [];
  let from: Item | undefined;
  do {
    const page = await client.send(
      new ScanCommand({ TableName: tableName, ExclusiveStartKey: from, ConsistentRead: true }),
    );
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  client.destroy();
  return items;
}
