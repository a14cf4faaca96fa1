import type { PageQuery } from '../contracts/base/common.ts';
import type { Page } from './ports.ts';

export const pageOf = <T>(all: readonly T[], { page, pageSize }: PageQuery): Page<T> => ({
  items: all.slice((page - 1) * pageSize, page * pageSize),
  total: all.length,
});
