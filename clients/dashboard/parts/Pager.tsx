import type { JSX } from 'preact';
import type { Pagination } from '../../sdk/index.ts';

const NUMBER = new Intl.NumberFormat('en-GB');
/** `1,000`. */
export const grouped = (count: number): string => NUMBER.format(count).replaceAll(' ', ' ');

interface Props {
  readonly pagination: Pagination;
  /** The address of another page. */
  readonly hrefOf: (page: number) => string;
  /** What is counted, such as `runs`. */
  readonly noun: string;
}

/** Where the reader is in a list, and the ways on. Nothing where one page holds it all. */
export function Pager({ pagination, hrefOf, noun }: Props): JSX.Element | null {
  const { page, pageSize, total } = pagination;
  const last = Math.max(1, Math.ceil(total / pageSize));
  if (last === 1 && page === 1) return null;
  const from = Math.min(total, (page - 1) * pageSize + 1);
  const step = (name: string, number: number, isThere: boolean) =>
    isThere ? (
      <a href={hrefOf(number)}>{name}</a>
    ) : (
      <span class="muted" aria-hidden="true">
        {name}
      </span>
    );
  return (
    <nav class="pager" aria-label={`Pages of ${noun}`}>
      <span class="muted">
        {grouped(from)}–{grouped(Math.min(total, page * pageSize))} of {grouped(total)} {noun}
      </span>
      {step('First', 1, page > 1)}
      {step('Previous', Math.min(page - 1, last), page > 1)}
      {step('Next', page + 1, page < last)}
      {step('Last', last, page < last)}
    </nav>
  );
}
