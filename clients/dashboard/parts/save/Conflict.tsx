import type { JSX } from 'preact';
import type { Form, Values } from '../../kit/form/form.ts';
import { shownLines } from '../../kit/text.ts';
import { Notice } from '../Notice.tsx';
import { Table } from '../Table.tsx';

/** A save that somebody else's came before. */
export interface Clash {
  /** Of the fields that both changed. */
  readonly names: readonly string[];
  /** What is there now, as it would be typed. */
  readonly theirs: Values;
}

interface Props {
  readonly form: Form;
  readonly clash: Clash;
  readonly labels: Values;
  readonly onSettled: () => void;
}

const shownValue = (value: string | undefined): JSX.Element =>
  value ? <bdi class="typed">{shownLines(value)}</bdi> : <span class="muted">nothing</span>;

/** What is there now beside what is typed. */
export function Conflict({ form, clash: { names, theirs }, labels, onSettled }: Props): JSX.Element {
  const take = () => {
    form.set(Object.fromEntries(names.map((name) => [name, theirs[name] ?? ''])));
    onSettled();
  };
  return (
    <Notice tone="warning" title="It was changed meanwhile.">
      Nothing of yours is saved yet: save again to replace the present version.
      <Table
        caption="What both changed"
        rows={names}
        keyOf={(name) => name}
        columns={[
          { head: 'Field', kind: 'main', cell: (name) => labels[name] ?? name },
          { head: 'There now', cell: (name) => shownValue(theirs[name]) },
          { head: 'Yours', cell: (name) => shownValue(form.text(name)) },
        ]}
      />
      <div class="dialog-buttons">
        <button type="button" onClick={take}>
          Take the present version
        </button>
        <button type="button" onClick={onSettled}>
          Keep mine
        </button>
      </div>
    </Notice>
  );
}
