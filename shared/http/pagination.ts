import { type OptionalPageQuery, PAGE_SIZE_DEFAULT, type PageQuery } from '../contracts/base/common.ts';
import type { Page } from '../domain/ports.ts';

export function listed<T>({ items, total }: Page<T>, { page, pageSize }: PageQuery) {
  return { data: [...items], pagination: { page, pageSize, total, hasMore: page * pageSize < total } };
}

export const pageAsked = ({ page, pageSize }: OptionalPageQuery): PageQuery | undefined =>
  page === undefined && pageSize === undefined
    ? undefined
    : { page: page ?? 1, pageSize: pageSize ?? PAGE_SIZE_DEFAULT };
