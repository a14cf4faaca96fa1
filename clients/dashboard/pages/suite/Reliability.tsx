import type { JSX } from 'preact';
import { reliabilityWords } from '../../../gate/report/reliability.ts';
import type { Run, Suite } from '../../../sdk/index.ts';
import { useLatestRuns, useRevision } from './data.ts';

interface Props {
  readonly suite: Suite;
}

const isScheduled = ({ created_by: by }: Pick<Run, 'created_by'>): boolean =>
  by.type === 'github_actions' && by.event_name === 'schedule';

/** How often the bar got both verdicts for one commit: only a clock's runs can say so. */
export function Reliability({ suite }: Props): JSX.Element | null {
  const isJudgedAgain = (useLatestRuns(suite.id).data?.data ?? []).some(isScheduled);
  return isJudgedAgain ? <JudgedAgain suite={suite} /> : null;
}

function JudgedAgain({ suite }: Props): JSX.Element | null {
  const reliability = useRevision(suite.id).data?.reliability;
  return reliability ? <p class="muted">{reliabilityWords(reliability)}</p> : null;
}
