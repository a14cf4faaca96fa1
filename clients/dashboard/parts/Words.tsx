import type { JSX } from 'preact';
import type { Words } from '../../gate/report/words.ts';
import type { Credential } from '../../sdk/index.ts';
import { shown } from '../kit/text.ts';

/** A foreign text in a line: what turns, hides or breaks it is pictured, and its direction is its own. */
export function Foreign({ text }: { readonly text: string }): JSX.Element {
  return <bdi>{shown(text)}</bdi>;
}

/** Ids of one hour begin alike. */
const ID_SHOWN = 7;

/** A run's id in few characters, such as `run_…5acXFg2`. */
export const shortRun = (id: string): string => `run_…${id.slice(-ID_SHOWN)}`;

/** A sentence of ours with foreign words in it. */
export function Sentence({ words: { own: ownTexts, foreign } }: { readonly words: Words }): JSX.Element {
  return (
    <>
      {ownTexts.flatMap((text, index) => {
        const word = foreign[index];
        return word === undefined ? [text] : [text, <Foreign key={`${index}`} text={word} />];
      })}
    </>
  );
}

/** Whose credential it was. */
export const By = ({ credential: { label } }: { readonly credential: Credential }): JSX.Element => (
  <Foreign text={label} />
);
