import type { JSX } from 'preact';
import type { Words } from '../../report/words.ts';
import { shown } from '../app/text.ts';

/** A foreign text in a line: what turns, hides or breaks it is pictured, and its direction is its own. */
export function Foreign({ text }: { readonly text: string }): JSX.Element {
  return <bdi>{shown(text)}</bdi>;
}

/** A sentence of ours with foreign words in it. */
export function Says({ words: { own, foreign } }: { readonly words: Words }): JSX.Element {
  return (
    <>
      {own.flatMap((text, index) => {
        const word = foreign[index];
        return word === undefined ? [text] : [text, <Foreign key={`${index}`} text={word} />];
      })}
    </>
  );
}
