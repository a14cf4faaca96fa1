import type { JSX } from 'preact';
import type { ResultState } from '../../../gate/report/results.ts';
import type { CasesHistoryAnswer, CasesListAnswer } from '../../../sdk/index.ts';
import { Time } from '../Time.tsx';
import { State } from '../Verdict.tsx';

type Latest = CasesListAnswer['latest_outcome'];

export function stateOfOutcome({
  passed,
  missing,
  errored,
}: Pick<CasesHistoryAnswer['data'][number], 'passed' | 'missing' | 'errored'>): ResultState {
  if (passed) return 'passed';
  if (missing) return 'missing';
  return errored ? 'errored' : 'failed';
}

/** How a case fared in the last run, and since when. */
export function LatestState({ latest }: { readonly latest: Latest }): JSX.Element | null {
  if (latest === undefined) return null;
  if (latest === null) return <span class="muted">no run had it yet</span>;
  return (
    <span class="several">
      <State state={stateOfOutcome(latest)} />
      <span class="muted">
        since <Time at={latest.since} isAgo />
        {latest.or_longer && ' or longer'}
      </span>
    </span>
  );
}
