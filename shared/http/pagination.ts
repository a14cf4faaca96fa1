import { type OptionalPageQuery, PAGE_SIZE_DEFAULT, type PageQuery } from '../contracts/base/common.ts';
import { pageOf } from '../domain/pageOf.ts';
import type { Page } from '../domain/ports.ts';

export function listed<T>({ items, total }: Page<T>, { page, pageSize }: PageQuery) {
  return { data: [...items], pagination: { page, pageSize, total, hasMore: page * pageSize < total } };
}

/** A query that names no page gets all, as one page; one without any parameter gets nothing beside them. */
export function listedBy<T>(all: readonly T[], query: OptionalPageQuery) {
  const { page, pageSize } = query;
  if (Object.values(query).every((value) => value === undefined)) return { data: [...all] };
  const isPaged = page !== undefined || pageSize !== undefined;
  const defaultSize = isPaged ? PAGE_SIZE_DEFAULT : Math.max(PAGE_SIZE_DEFAULT, all.length);
  const named = { page: page ?? 1, pageSize: pageSize ?? defaultSize };
  return listed(pageOf(all, named), named);
}
