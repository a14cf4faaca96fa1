import type { JSX } from 'preact';
import { type ResultState, resultState } from '../../../gate/report/results.ts';
import type { CasesHistoryAnswer } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { momentWords } from '../../parts/Time.tsx';
import { TONES, WORDS } from '../../parts/Verdict.tsx';
import type { Outcome } from './data.ts';

const wordOf = (state: ResultState): string => WORDS[state] ?? state;

/** `28 passed, 1 failed`. */
const counts = (outcomes: readonly Outcome[]): string =>
  [...Map.groupBy(outcomes, resultState)]
    .map(([state, alike]) => `${alike.length} ${wordOf(state)}`)
    .join(', ');

interface Props {
  readonly caseKey: string;
  readonly history: CasesHistoryAnswer;
}

/** How a case fared in the latest runs: a square each, the newest on the right. */
export function History({ caseKey, history: { data: outcomes, truncated } }: Props): JSX.Element {
  if (outcomes.length === 0)
    return <p class="muted">No run had this case yet: it counts from the next run on.</p>;
  return (
    <>
      <p>
        {counts(outcomes)} in the latest {outcomes.length === 1 ? 'run' : `${outcomes.length} runs`}, of any
        branch
        {truncated && <span class="muted"> (earlier ones are too large to be read here)</span>}
      </p>
      <ol class="squares" aria-label="Latest runs, the oldest first">
        {outcomes.toReversed().map((outcome) => {
          const state = resultState(outcome);
          const words = `${wordOf(state)}, ${outcome.score.toFixed(2)}, ${momentWords(outcome.created_at)}`;
          return (
            <li key={outcome.run_id}>
              <a
                class={`square has-sign ${TONES[state]}`}
                href={to.run(outcome.run_id, caseKey)}
                title={words}
              >
                <span class="hidden">{words}</span>
              </a>
            </li>
          );
        })}
      </ol>
    </>
  );
}
