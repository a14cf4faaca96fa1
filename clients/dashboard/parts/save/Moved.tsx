import type { JSX } from 'preact';
import type { Difference } from '../../kit/form/shown.ts';
import { Confirm } from '../Confirm.tsx';
import { EffectChip } from '../Verdict.tsx';
import { Foreign } from '../Words.tsx';
import { Differences } from './Differences.tsx';
import { type Moves, weakerOf } from './moves.ts';

/** What is to be saved. */
export interface Announced {
  readonly moves: Moves;
  readonly differences: readonly Difference[];
}

interface Props extends Announced {
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
export function Moved({ moves, differences, act, onClose }: Props): JSX.Element {
  const effects = new Set(moves.changes.map(({ effect }) => effect).filter((effect) => effect !== 'same'));
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
          : 'What was judged by them before is judged otherwise from now on.'}{' '}
        {[...effects].map((effect) => (
          <EffectChip key={effect} effect={effect} />
        ))}
      </p>
      <Differences of={differences} />
      {moves.affects.length > 0 && (
        <ul class="moves">
          {moves.affects.map(({ suite }) => (
            <li key={suite}>
              It moves the bar of <Foreign text={suite} />
            </li>
          ))}
        </ul>
      )}
    </Confirm>
  );
}
