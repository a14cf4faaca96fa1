import { chunksOf } from '../table/batches.ts';
import { type Key, PK, SK } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';

const ITEMS_AT_ONCE = 20;
const ITEMS_A_PAGE = 100;

interface Range {
  readonly pk: string;
  readonly between: readonly [from: string, to: string];
}

/** Keys begin with capital letters. */
export const everythingIn = (pk: string): Range => ({ pk, between: ['!', '~'] });

const onlyKey = ({ [PK]: pk, [SK]: sk }: Item): Item => ({ [PK]: pk, [SK]: sk });

export async function dropKeys(table: Table, keys: readonly Key[]): Promise<void> {
  for (const some of chunksOf(keys, ITEMS_AT_ONCE))
    await Promise.all(some.map((key) => table.delete({ pk: key.pk, sk: key.sk })));
}

/** False when time ran out before all of the range was dropped. */
export async function dropRange(
  table: Table,
  { pk, between: [from, to] }: Range,
  {
    isLost = () => true,
    hasTime = () => true,
  }: { isLost?: (sk: string) => boolean; hasTime?: () => boolean } = {},
): Promise<boolean> {
  for (let after = from; hasTime(); ) {
    const options = { limit: ITEMS_A_PAGE, slim: onlyKey, withExpired: true };
    const keys = (await table.query({ pk, between: [after, to] }, options)) as unknown as Key[];
    await dropKeys(
      table,
      keys.filter(({ sk }) => isLost(sk)),
    );
    const last = keys.at(-1);
    if (last === undefined || keys.length < ITEMS_A_PAGE) return true;
    after = `${last.sk}!`;
  }
  return false;
}
