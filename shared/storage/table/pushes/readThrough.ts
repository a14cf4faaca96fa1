import { uuidBytes } from '../documents.ts';
import type { Key } from '../keys.ts';
import type { Item, QueryRange, Table } from '../table.ts';
import type { LoggedWrite, PushLog } from './log.ts';

/** The table as it will be when this log is written out. */
export function readThrough(table: Table, log: PushLog): Table {
  const after = new Map<string, Item | undefined>();
  for (const { item } of log.changed) after.set(idOf(item), item);
  for (const write of log.groups.flat()) {
    const written = itemAfter(write);
    if (written !== undefined) after.set(...written);
  }
  return overlaid(table, after);
}

const idOf = ({ pk, sk }: Item | Key): string => `${pk}\n${sk}`;

function itemAfter(write: LoggedWrite): [id: string, item: Item | undefined] | undefined {
  if ('put' in write) return [idOf(write.put), write.put];
  if ('block' in write) return [idOf(write.block), { ...write.block, ids: write.ids.map(uuidBytes) }];
  if ('expire' in write) return undefined;
  return [idOf('drop' in write ? write.drop : write.hide), undefined];
}

const overlaid = (table: Table, after: ReadonlyMap<string, Item | undefined>): Table => ({
  async get(key, options) {
    return after.has(idOf(key)) ? after.get(idOf(key)) : table.get(key, options);
  },
  async getMany(keys, options) {
    const items = await table.getMany(keys, options);
    return keys.map((key, index) => (after.has(idOf(key)) ? after.get(idOf(key)) : items[index]));
  },
  // The push adds and hides items, which would shift pages: all is one page.
  async query(range, { limit: _, slim, ...options } = {}) {
    const items = await table.query(range, options);
    const unchanged = items.filter((item) => !after.has(idOf(item)));
    const own = [...after.values()].filter((item) => item !== undefined).filter((item) => isIn(range, item));
    const all = [...unchanged, ...own].toSorted(byKey);
    return slim === undefined ? all : all.map(slim);
  },
  put: (...args) => table.put(...args),
  putIfAbsent: (...args) => table.putIfAbsent(...args),
  update: (...args) => table.update(...args),
  delete: (...args) => table.delete(...args),
  transact: (...args) => table.transact(...args),
  consumed: () => table.consumed(),
  backoff: (attempt) => table.backoff(attempt),
});

const byKey = ({ sk: one }: Item, { sk: other }: Item): number => (String(one) < String(other) ? -1 : 1);

function isIn({ pk, prefix = '', between }: QueryRange, item: Item): boolean {
  const sk = String(item.sk);
  if (item.pk !== pk) return false;
  return between === undefined ? sk.startsWith(prefix) : sk >= between[0] && sk <= between[1];
}
