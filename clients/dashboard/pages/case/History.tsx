import type { JSX } from 'preact';
import type { ResultState } from '../../../gate/report/results.ts';
import type { CasesHistoryAnswer } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { Table } from '../../parts/Table.tsx';
import { momentWords, Time } from '../../parts/Time.tsx';
import { State } from '../../parts/Verdict.tsx';
import { shortRun } from '../../parts/Words.tsx';
import type { Outcome } from './data.ts';

export function stateOfOutcome({ passed, missing, errored }: Outcome): ResultState {
  if (passed) return 'passed';
  if (missing) return 'missing';
  return errored ? 'errored' : 'failed';
}

const WORDS: Readonly<Record<ResultState, string>> = {
  passed: 'passed',
  failed: 'failed',
  missing: 'missing',
  errored: 'unjudged',
  advisory: 'advisory',
};
const TONES: Readonly<Record<ResultState, string>> = {
  passed: 'is-good',
  failed: 'is-bad',
  missing: 'is-bad',
  errored: 'is-doubt',
  advisory: 'is-calm',
};

/** `28 passed, 1 failed`. */
function counts(outcomes: readonly Outcome[]): string {
  const of = new Map<ResultState, number>();
  for (const outcome of outcomes) {
    const state = stateOfOutcome(outcome);
    of.set(state, (of.get(state) ?? 0) + 1);
  }
  return [...of].map(([state, count]) => `${count} ${WORDS[state]}`).join(', ');
}

interface Props {
  readonly caseKey: string;
  readonly history: CasesHistoryAnswer;
}

/** Of a case that the latest run did not pass: the first run of those that did not. */
function Since({ caseKey, history: { data: outcomes } }: Props): JSX.Element | null {
  const newestPass = outcomes.findIndex(({ passed }) => passed);
  const first = newestPass < 0 ? outcomes.at(-1) : outcomes[newestPass - 1];
  if (!first) return null;
  return (
    <p>
      Not passed since{' '}
      <a href={to.run(first.run_id, caseKey)}>
        <Time at={first.created_at} />
      </a>
      {newestPass < 0 && ' or longer'}
    </p>
  );
}

/** How a case fared in the latest runs: a square each, the newest on the right, and the same as a table. */
export function History({ caseKey, history }: Props): JSX.Element {
  const { data: outcomes, truncated } = history;
  if (outcomes.length === 0)
    return <p class="muted">No run had this case yet: it counts from the next run on.</p>;
  return (
    <>
      <p>
        {counts(outcomes)} in the latest {outcomes.length === 1 ? 'run' : `${outcomes.length} runs`}
        {truncated && <span class="muted"> (earlier ones are too large to be read here)</span>}
      </p>
      <Since caseKey={caseKey} history={history} />
      <ol class="squares" aria-label="Latest runs, the oldest first">
        {outcomes.toReversed().map((outcome) => {
          const state = stateOfOutcome(outcome);
          const words = `${WORDS[state]}, ${outcome.score.toFixed(2)}, ${momentWords(outcome.created_at)}`;
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
      <details class="further">
        <summary>As a table</summary>
        <Table
          caption="Latest runs"
          rows={outcomes}
          keyOf={({ run_id }) => run_id}
          columns={[
            {
              head: 'Run',
              kind: 'main',
              cell: ({ run_id }) => (
                <a class="id" href={to.run(run_id, caseKey)} title={run_id}>
                  {shortRun(run_id)}
                </a>
              ),
            },
            { head: 'Outcome', cell: (outcome) => <State state={stateOfOutcome(outcome)} /> },
            { head: 'Score', kind: 'number', cell: ({ score }) => score.toFixed(2) },
            { head: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
          ]}
        />
      </details>
    </>
  );
}
