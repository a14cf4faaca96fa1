import type { JSX } from 'preact';
import { share } from '../../../gate/report/numbers.ts';
import { stateOf } from '../../../gate/report/types.ts';
import type { Run } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { momentWords } from '../../parts/Time.tsx';
import { TONES } from '../../parts/Verdict.tsx';

const SHOWN = 20;

/** What judged a run, or what it was compared with, is not that of the run before. */
function changesSince(before: Run | undefined, run: Run): readonly string[] {
  if (before === undefined) return [];
  return [
    ...(before.suite_digest === run.suite_digest ? [] : ['bar']),
    ...(before.baseline_id === run.baseline_id ? [] : ['baseline']),
  ];
}

/** The last runs: a mark each, the newest on the right, and between them what changed. */
export function Strip({ runs }: { readonly runs: readonly Run[] }): JSX.Element {
  const shown = runs.slice(0, SHOWN).toReversed();
  return (
    <ol class="squares" aria-label="Last runs, the oldest first">
      {shown.map((run, index) => {
        const state = stateOf(run);
        const words = `${state}, ${share(run.pass_rate)}, ${momentWords(run.created_at)}`;
        return (
          <li key={run.id}>
            {changesSince(shown[index - 1], run).map((what) => (
              <span key={what} class="change" title={`Another ${what} from here on`}>
                {what}
              </span>
            ))}
            <a class={`square has-sign ${TONES[state]}`} href={to.run(run.id)} title={words}>
              <span class="hidden">{words}</span>
            </a>
          </li>
        );
      })}
    </ol>
  );
}
