import type { Key } from '../../shared/storage/table/keys.ts';
import type { OwnService } from './ownService.ts';

/** Deletes expired items like DynamoDB; the tests' tables do not. */
export async function dropExpired(
  { items, table }: Pick<OwnService, 'items' | 'table'>,
  nowMs: number,
): Promise<number> {
  const expired = (await items()).filter(
    ({ expires_at }) => typeof expires_at === 'number' && expires_at * 1_000 <= nowMs,
  );
  for (const { pk, sk } of expired) {
    const there = { ConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } };
    await table.delete({ pk, sk } as Key, there);
  }
  return expired.length;
}
