import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { share } from '../../../gate/report/numbers.ts';
import { originWords } from '../../../gate/report/review/origin.ts';
import { stateOf } from '../../../gate/report/types.ts';
import { Acceptance } from '../../parts/baseline/Acceptance.tsx';
import { Loading, Trouble } from '../../parts/Notice.tsx';
import { useRuns } from '../../parts/runs/data.ts';
import { Time } from '../../parts/Time.tsx';
import { State } from '../../parts/Verdict.tsx';
import { Foreign, shortRun } from '../../parts/Words.tsx';
import type { DialogProps } from './data.ts';

const RUNS_MAX = 5;

/** Makes some of the latest runs what later ones are compared with. */
export function Accept({ project, suite, onClose }: DialogProps): JSX.Element {
  const { data, problem, reload } = useRuns(suite.id, 1, {});
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const ended = data?.data.filter(({ status }) => status !== 'pending');
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <Acceptance {...{ project, suite, onClose }} runs={chosen} title="Accept runs as the baseline">
      <p>
        One to {RUNS_MAX} runs of one bar: of what was released, none picked for its figures. An aborted one
        is accepted, too: it is a point of comparison, not a pass.
      </p>
      <Trouble problem={problem} retry={reload} />
      {!data && !problem && <Loading what="runs" />}
      {ended?.length === 0 && <p class="muted">No run has ended yet.</p>}
      <fieldset class="choices is-long">
        <legend class="hidden">Runs</legend>
        {ended?.map((run) => (
          <label key={run.id} class="choice">
            <input
              type="checkbox"
              checked={chosen.includes(run.id)}
              disabled={chosen.length === RUNS_MAX && !chosen.includes(run.id)}
              onChange={() => toggle(run.id)}
            />
            <State state={stateOf(run)} />
            <span>{share(run.pass_rate)}</span>
            <Time at={run.created_at} isAgo />
            <Foreign text={originWords(run)} />
            <code class="muted">{shortRun(run.id)}</code>
          </label>
        ))}
      </fieldset>
    </Acceptance>
  );
}
