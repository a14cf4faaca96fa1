import type { JSX } from 'preact';
import { counted, share } from '../../../gate/report/numbers.ts';
import { to } from '../../kit/addresses.ts';
import { comparesWithBaseline } from '../../kit/form/forms.ts';
import { may } from '../../kit/session.ts';
import { Trouble } from '../../parts/Notice.tsx';
import type { SuiteProps } from '../../parts/save/data.ts';
import { Time } from '../../parts/Time.tsx';
import { shortRun } from '../../parts/Words.tsx';
import { useBaseline } from './data.ts';

/** What runs are compared with. Nothing where there is none and nothing needs one. */
export function Baseline({ project, suite }: SuiteProps): JSX.Element | null {
  const { data: baseline, problem, reload } = useBaseline(suite.id, suite.baseline_id);
  const { latest_run: latest, gates } = suite;
  const isUsed = comparesWithBaseline(gates);
  if (suite.baseline_id === null) {
    if (!isUsed) return null;
    return (
      <p class="baseline">
        No baseline: gates on the comparison are inconclusive, and each run is aborted.{' '}
        {may.value.administrate && <a href={to.history(project, suite.slug)}>Accept a run</a>}
      </p>
    );
  }
  if (!baseline) return <Trouble problem={problem} retry={reload} />;
  const [first = '', ...others] = baseline.run_ids;
  const canCompare = latest !== null && latest.status !== 'pending' && !baseline.run_ids.includes(latest.id);
  return (
    <p class="baseline">
      <span>
        <strong>Baseline</strong>{' '}
        <a class="id" href={to.run(first)} title={first}>
          {shortRun(first)}
        </a>
        {others.length > 0 && ` and ${counted(others.length, 'more run')}`}, accepted{' '}
        <Time at={baseline.created_at} isAgo />, {share(baseline.pass_rate)}
        {!isUsed && '; no gate compares runs with it'}
      </span>
      {canCompare && <a href={to.compare(first, latest.id)}>Compare the latest run with it</a>}
    </p>
  );
}
