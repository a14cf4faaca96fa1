import type { PageQuery } from '../../contracts/base/common.ts';
import type { Page } from '../../domain/ports.ts';
import type { Key } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import { readList } from './lists.ts';

interface PageRequest<T> {
  readonly list: Key;
  readonly query: PageQuery;
  readonly keyOf: (id: string) => Key;
  readonly read: (item: Item) => T;
}

/** One page of a parent's children, the newest first. Every page costs the same. */
export async function readPage<T>(table: Table, request: PageRequest<T>): Promise<Page<T>> {
  const { list, query, keyOf, read } = request;
  const ids = (await readList(table, list)).reverse();
  const start = (query.page - 1) * query.pageSize;
  const items = await table.getMany(ids.slice(start, start + query.pageSize).map(keyOf));
  // A child that was deleted since the list was read is left out.
  return { total: ids.length, items: items.filter((item) => item !== undefined).map(read) };
}
