import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { TABLE_NAME } from './ownService.ts';

type RawItem = Readonly<Record<string, unknown>>;

/** All stored items, including deleted and expired ones. */
export async function rawItems({ endpoint }: { readonly endpoint: string }): Promise<RawItem[]> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint }));
  const items: RawItem[] = [];
  let from: Record<string, unknown> | undefined;
  do {
    const page = await client.send(
      new ScanCommand({ TableName: TABLE_NAME, ExclusiveStartKey: from, ConsistentRead: true }),
    );
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  client.destroy();
  return items;
}
