import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** `main`: what the row is; it stays on top where the screen is narrow. `number`: digits stand below each other. `line`: what is too long ends in dots. */
  readonly kind?: 'main' | 'number' | 'actions' | 'line';
}

interface Props<Row> {
  /** What the rows are. It is heard, not seen. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** So many are shown at first; the others on demand. */
  readonly first?: number;
}

/** Rows of the same kind. On a narrow screen each row is a block, its cells named. */
export function Table<Row>({ caption, columns, rows, keyOf, first = rows.length }: Props<Row>): JSX.Element {
  const [more, setMore] = useState(0);
  const count = first + more;
  return (
    <>
      <table class="table">
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ head, kind }) => (
              <th key={head} scope="col" class={kind && `is-${kind}`}>
                {kind === 'actions' ? <span class="hidden">{head}</span> : head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, count).map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ head, kind, cell }) => (
                <td key={head} class={kind && `is-${kind}`} data-head={head}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > count && (
        <button type="button" class="more-rows" onClick={() => setMore(more + SHOWN_MORE)}>
          Show {Math.min(SHOWN_MORE, rows.length - count)} more
        </button>
      )}
    </>
  );
}

const SHOWN_MORE = 100;
