import type { ComponentChildren, JSX } from 'preact';
import { shownLines } from '../kit/text.ts';

interface Props {
  /** Such as "Expected". */
  readonly label: string;
  /** Null: it was dropped since. Foreign. */
  readonly text: string | null | undefined;
  /** In place of the text, such as with its words marked. */
  readonly children?: ComponentChildren;
  /** It is shorter than what it was taken of. */
  readonly isCut?: boolean;
}

const CUT_LENGTH = 2_000;

/** A part of a foreign text of several lines; nothing where none was kept. */
export function Excerpt({ label, text, children, isCut = false }: Props): JSX.Element | null {
  if (text === undefined) return null;
  const isShort = isCut && (text?.length ?? 0) >= CUT_LENGTH - 1;
  return (
    <figure class="excerpt">
      <figcaption>{label}</figcaption>
      {text === null ? (
        <p class="muted">Its text has been deleted since.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard
        <pre tabIndex={0}>
          <bdi>{children ?? shownLines(text)}</bdi>
          {text === '' && <span class="muted">(empty)</span>}
        </pre>
      )}
      {isShort && <p class="hint">Cut: only the first 2,000 characters are kept.</p>}
    </figure>
  );
}
