import type { PageQuery } from '../contracts/common.ts';
import type { Page } from '../domain/ports.ts';

/** The envelope of a list. */
export function listed<T>({ items, total }: Page<T>, { page, pageSize }: PageQuery) {
  return { data: [...items], pagination: { page, pageSize, total, hasMore: page * pageSize < total } };
}
