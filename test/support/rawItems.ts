import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';

type RawItem = Readonly<Record<string, unknown>>;

/** Every item as the engine keeps it: the deleted and the expired ones too. */
export async function rawItems(table: { readonly endpoint: string; readonly tableName: string }) {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: table.endpoint }));
  const items: RawItem[] = [];
  let from: Record<string, unknown> | undefined;
  do {
    const page = await client.send(
      new ScanCommand({ TableName: table.tableName, ExclusiveStartKey: from, ConsistentRead: true }),
    );
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  client.destroy();
  return items;
}
