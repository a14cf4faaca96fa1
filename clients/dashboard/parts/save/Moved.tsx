import type { JSX } from 'preact';
import { planLine } from '../../../gate/report/plan.ts';
import { Confirm } from '../Confirm.tsx';
import { Foreign, Sentence } from '../Words.tsx';
import { type Moves, weakerOf } from './moves.ts';

/** What a change moves, a line each. */
function MovedLines({ moves }: { readonly moves: Moves }): JSX.Element {
  return (
    <ul class="moves">
      {moves.changes.map((change) => (
        <li key={`${change.kind} ${change.key}`}>
          <Sentence words={planLine(change, { hidesValues: false }).words} />{' '}
          <strong class={`effect-${change.effect.replaceAll(' ', '-')}`}>{change.effect}</strong>
        </li>
      ))}
      {moves.affects.map(({ suite }) => (
        <li key={suite}>
          moves the bar of <Foreign text={suite} />
        </li>
      ))}
    </ul>
  );
}

interface Props {
  readonly moves: Moves;
  readonly act: () => Promise<unknown>;
  readonly onClose: () => void;
}

function titleOf(moves: Moves): string {
  const weaker = weakerOf(moves);
  if (weaker.length === 0) return 'Bars move';
  if (weaker.every(({ effect }) => effect === 'another answer')) return 'Another answer is expected';
  return weaker.some(({ effect }) => effect === 'weaker') ? 'The bar gets weaker' : 'The bar may get weaker';
}

/** Asks before a change of a bar is saved that others have to know of. */
export function Moved({ moves, act, onClose }: Props): JSX.Element {
  const isWeaker = weakerOf(moves).length > 0;
  return (
    <Confirm
      title={titleOf(moves)}
      verb={isWeaker ? 'Save all the same' : 'Save'}
      isDangerous={isWeaker}
      act={act}
      onClose={onClose}
    >
      <p>
        {isWeaker
          ? 'After this, an output may be cleared that is not cleared now.'
          : 'What was judged by them before is judged otherwise from now on.'}
      </p>
      <MovedLines moves={moves} />
    </Confirm>
  );
}
