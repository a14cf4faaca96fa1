import { DynamoDBClient, ScanCommand, type ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { organisationKey, SK } from '../table/keys.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The organisations of a whole table, one after the other: for an operator who has no key any more. */
export async function* organisationsIn(
  endpoint: string | undefined,
  tableName: string,
): AsyncGenerator<Named> {
  const client = new DynamoDBClient({ ...(endpoint !== undefined && { endpoint }) });
  try {
    let from: ScanCommandOutput['LastEvaluatedKey'];
    do {
      const answer: ScanCommandOutput = await client.send(
        new ScanCommand({
          TableName: tableName,
          FilterExpression: `${SK} = :sk`,
          ExpressionAttributeValues: { ':sk': { S: organisationKey('').sk } },
          ExclusiveStartKey: from,
        }),
      );
      for (const item of answer.Items ?? []) {
        const { id, name } = unmarshall(item);
        if (id !== undefined) yield { id: String(id), name: String(name) };
      }
      from = answer.LastEvaluatedKey;
    } while (from !== undefined);
  } finally {
    client.destroy();
  }
}
