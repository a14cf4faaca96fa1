import type { JSX } from 'preact';
import type { CasesListAnswer } from '../../../sdk/index.ts';
import { type Changes, standingOf } from '../runs/standing.ts';
import { Time } from '../Time.tsx';
import { State } from '../Verdict.tsx';

interface Props {
  readonly evalCase: CasesListAnswer;
  /** Since the baseline, where they are known. */
  readonly changes?: Changes;
}

/** How a case fared in the last run; of one that did not pass, since when. */
export function LatestState({ evalCase, changes }: Props): JSX.Element | null {
  const { id: case_id, latest_outcome: latest } = evalCase;
  if (latest === undefined) return null;
  if (latest === null) return <span class="muted">no run had it yet</span>;
  return (
    <span class="several">
      <State state={standingOf({ case_id, ...latest }, changes)} />
      {!latest.passed && (
        <span class="muted">
          since <Time at={latest.since} isAgo />
          {latest.or_longer && ' or longer'}
        </span>
      )}
    </span>
  );
}
