import type { JSX } from 'preact';
import { affectedWords, planLine } from '../../../report/plan.ts';
import type { DefinitionsPutAnswer } from '../../../sdk/index.ts';
import { Confirm } from '../../parts/Confirm.tsx';
import { Says } from '../../parts/Words.tsx';
import type { Moves } from './moves.ts';

/** What a change moves, a line each. */
function MovedLines({ moves }: { readonly moves: Moves }): JSX.Element {
  const affected = affectedWords({ suite: '', answer: moves as DefinitionsPutAnswer });
  return (
    <ul class="moves">
      {moves.changes.map((change) => (
        <li key={`${change.kind} ${change.key}`}>
          <Says words={planLine(change, { hidesValues: false }).words} />{' '}
          <strong class={`effect-${change.effect.replaceAll(' ', '-')}`}>{change.effect}</strong>
        </li>
      ))}
      {affected.map((words, index) => (
        <li key={`${index}`}>
          <Says words={words} />
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

/** Before a bar that gets weaker, or may, is saved. */
export function Weaker({ moves, act, onClose }: Props): JSX.Element {
  return (
    <Confirm title="The bar gets weaker" verb="Save all the same" isDangerous act={act} onClose={onClose}>
      <p>After this, an output may be cleared that is not cleared now.</p>
      <MovedLines moves={moves} />
    </Confirm>
  );
}
