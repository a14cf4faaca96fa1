import type { JSX } from 'preact';
import { waiverOf } from '../../../gate/report/review/waiver.ts';
import { figureOf } from '../../../gate/report/summary.ts';
import { stateOf } from '../../../gate/report/types.ts';
import type { Run } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { Chip, State } from '../Verdict.tsx';
import { Sentence } from '../Words.tsx';

/** How a run came out, and what the word leaves open: how much newly fails, a waiver, why nothing is certain. */
export function RunState({ run }: { readonly run: Run }): JSX.Element {
  const state = stateOf(run);
  const newly = run.comparison?.newly_failing_count ?? 0;
  return (
    <span class="several">
      <a href={to.run(run.id)}>
        <State state={state} />
      </a>
      {newly > 0 && <Chip tone="bad">{newly} newly failing</Chip>}
      {waiverOf(run) && <State state="waived" />}
      {state === 'inconclusive' && (
        <span class="muted">
          <Sentence words={figureOf(run, state)} />
        </span>
      )}
    </span>
  );
}
