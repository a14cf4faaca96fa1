import type { JSX } from 'preact';
import { shown, shownLines } from '../../kit/text.ts';
import { Excerpt } from '../Excerpt.tsx';
import { Table } from '../Table.tsx';
import { Foreign } from '../Words.tsx';
import { compareJson, compareTexts, type Field, likeness, type Piece } from './compare.ts';

export interface DiffProps {
  /** Foreign, both. */
  readonly expected: string;
  readonly output: string;
  readonly isCut: boolean;
  /** Marks nothing. */
  readonly isPlain: boolean;
  /** What the two are called. */
  readonly labels?: readonly [expected: string, output: string];
}

const LABELS = ['Expected', 'Output'] as const;
const LIKENESS_MIN = 0.2;

/** What was expected beside what came, with what differs marked. */
export function Diff({ expected, output, isCut, isPlain, labels = LABELS }: DiffProps): JSX.Element {
  const json = isPlain ? undefined : compareJson(expected, output);
  if (json && json.fields.length > 0) return <Fields {...json} labels={labels} />;
  const texts = isPlain ? undefined : compareTexts(expected, output);
  const marked = texts && (texts.isUnseen || likeness(texts) >= LIKENESS_MIN) ? texts : undefined;
  return (
    <>
      {marked?.isUnseen && (
        <p class="hint">
          They differ only in what the eye does not see: blanks, line ends, or characters that look alike. It
          is pictured here.
        </p>
      )}
      <div class="columns">
        <Excerpt label={labels[0]} text={expected} isCut={isCut}>
          {marked && <Pieces pieces={marked.expected} Tag="del" />}
        </Excerpt>
        <Excerpt label={labels[1]} text={output} isCut={isCut}>
          {marked && <Pieces pieces={marked.output} Tag="ins" />}
        </Excerpt>
      </div>
    </>
  );
}

function Pieces({
  pieces,
  Tag,
}: {
  readonly pieces: readonly Piece[];
  readonly Tag: 'ins' | 'del';
}): JSX.Element {
  return (
    <>
      {pieces.map(({ text, isSame }, index) =>
        isSame ? shownLines(text) : <Tag key={`${index}`}>{shownLines(text)}</Tag>,
      )}
    </>
  );
}

interface FieldsProps {
  readonly fields: readonly Field[];
  readonly equal: number;
  readonly labels: readonly [expected: string, output: string];
}

function Fields({ fields, equal, labels: [expectedLabel, outputLabel] }: FieldsProps): JSX.Element {
  const side = (text: string | undefined, Tag: 'ins' | 'del') => (
    <bdi>{text === undefined ? <span class="muted">missing</span> : <Tag>{shown(text)}</Tag>}</bdi>
  );
  return (
    <>
      <Table
        caption="Fields that differ"
        rows={fields}
        keyOf={({ path }) => path}
        columns={[
          { head: 'Field', kind: 'main', cell: ({ path }) => <Code text={path} /> },
          { head: expectedLabel, cell: ({ expected }) => side(expected, 'del') },
          { head: outputLabel, cell: ({ output }) => side(output, 'ins') },
        ]}
      />
      {equal > 0 && (
        <p class="hint">
          {equal} more {equal === 1 ? 'field is' : 'fields are'} equal.
        </p>
      )}
    </>
  );
}

const Code = ({ text }: { readonly text: string }): JSX.Element => (
  <code>
    <Foreign text={text} />
  </code>
);
