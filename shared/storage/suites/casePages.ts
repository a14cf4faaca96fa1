import type { Item, QueryOptions, QueryRange, Table } from '../table/table.ts';

/** Of an item, beside its documents. */
const ITEM_BYTES = 400;

/** About as many as an item of a case has in the table. */
export const caseBytes = ({ input, expected }: Item): number =>
  ITEM_BYTES + String(input ?? '').length + String(expected ?? '').length;

/** The items of a range in their order. `first`: of the first page, when their size is not known. */
export async function* pagesOf(
  table: Table,
  { pk, prefix = '' }: QueryRange,
  { limit, first = limit, slim }: QueryOptions & { readonly limit: number; readonly first?: number },
): AsyncGenerator<Item[]> {
  let wanted = first;
  for (let from = prefix; ; ) {
    const page = await table.query(
      { pk, between: [from, raised(prefix)] },
      { limit: wanted, ...(slim && { slim }) },
    );
    yield page;
    if (page.length < wanted) return;
    // No key is the beginning of another.
    from = `${page.at(-1)?.sk}!`;
    wanted = limit;
  }
}

/** What begins with the prefix is below it with its last character raised by one. */
const raised = (prefix: string): string =>
  prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
