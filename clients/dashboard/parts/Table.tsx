import type { ComponentChildren, JSX } from 'preact';

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** `main`: what the row is; it stays on top where the screen is narrow. `number`: digits stand below each other. */
  readonly kind?: 'main' | 'number' | 'actions';
}

interface Props<Row> {
  /** What the rows are. It is heard, not seen. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

/** Rows of the same kind. On a narrow screen each row is a block, its cells named. */
export function Table<Row>({ caption, columns, rows, keyOf }: Props<Row>): JSX.Element {
  return (
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
        {rows.map((row) => (
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
  );
}
