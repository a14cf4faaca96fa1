import type { Pagination } from './generated/types.ts';

export interface Page<T> {
  readonly data: T[];
  /** Left out by a list that was answered as a whole. */
  readonly pagination?: Pagination;
  /** Of a list by a filter: older ones were not looked through. */
  readonly truncated?: boolean;
}

/** A list that is fetched page by page while it is iterated. Each item comes once, also if the list grows meanwhile. */
export interface List<T> extends AsyncIterable<T> {
  /** One page: the one that the query names. */
  page(): Promise<Page<T>>;
}

export type Query = Readonly<Record<string, unknown>>;

const PAGE_SIZE = 100;

/** `fetchPage` asks for one page, by `page` and `pageSize` of its query. */
export function listOf<T>(query: Query = {}, fetchPage: (query: Query) => Promise<Page<T>>): List<T> {
  return {
    page: () => fetchPage(query),
    async *[Symbol.asyncIterator]() {
      const seen = new Set<unknown>();
      for (let number = Number(query.page ?? 1), hasMore = true; hasMore; number++) {
        const { data, pagination } = await fetchPage({ pageSize: PAGE_SIZE, ...query, page: number });
        for (const item of data) {
          const { id } = item as { id?: unknown };
          if (id !== undefined && seen.has(id)) continue;
          seen.add(id);
          yield item;
        }
        hasMore = pagination?.hasMore === true && data.length > 0;
      }
    },
  };
}
