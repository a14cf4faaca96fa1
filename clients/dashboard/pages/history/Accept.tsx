import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { share } from '../../../gate/report/numbers.ts';
import { originWords } from '../../../gate/report/review/origin.ts';
import { stateOf } from '../../../gate/report/types.ts';
import type { Run } from '../../../sdk/index.ts';
import { Acceptance } from '../../parts/baseline/Acceptance.tsx';
import { comparesWithBaseline } from '../../parts/baseline/data.ts';
import { Loading, Trouble } from '../../parts/Notice.tsx';
import { useRuns } from '../../parts/runs/data.ts';
import { Time } from '../../parts/Time.tsx';
import { State } from '../../parts/Verdict.tsx';
import { Foreign, shortRun } from '../../parts/Words.tsx';
import type { DialogProps } from './data.ts';

const RUNS_MAX = 5;
/** Whether a gate that compares with a baseline holds says nothing of a run as a point of comparison. */
const isOwn = ({ gate }: { readonly gate: string }): boolean => !comparesWithBaseline({ [gate]: true });
const IS_FULL = `${RUNS_MAX} runs are chosen`;

/** Why the service would refuse a run, alone or beside the first one that is chosen; undefined: it is accepted. */
function faultOf({ status, verdict, suite_digest }: Run, first: Run | undefined) {
  if (status === 'pending') return 'no verdict yet';
  if (verdict === null) return 'it could not be evaluated';
  const statuses = verdict.gates.filter(isOwn).map((gate) => gate.status);
  if (statuses.includes('inconclusive') && !statuses.includes('failed')) return 'inconclusive: run it again';
  if (first && first.suite_digest !== suite_digest) return 'judged by another bar than the chosen one';
  return undefined;
}

/** Makes some of the latest runs what later ones are compared with. */
export function Accept({ project, suite, onClose }: DialogProps): JSX.Element {
  const { data, problem, reload } = useRuns(suite.id, 1, {});
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const first = data?.data.find(({ id }) => id === chosen[0]);
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
      {data?.data.length === 0 && <p class="muted">The suite has no run yet.</p>}
      <fieldset class="choices is-long">
        <legend class="hidden">Runs</legend>
        {data?.data.map((run) => {
          const isChosen = chosen.includes(run.id);
          const why = isChosen ? undefined : (faultOf(run, first) ?? (chosen.length === RUNS_MAX && IS_FULL));
          return (
            <label key={run.id} class={`choice ${why ? 'is-off' : ''}`}>
              <input
                type="checkbox"
                checked={isChosen}
                disabled={Boolean(why)}
                onChange={() => toggle(run.id)}
              />
              <State state={stateOf(run)} />
              <span>{run.status === 'pending' ? '' : share(run.pass_rate)}</span>
              <Time at={run.created_at} isAgo />
              <Foreign text={originWords(run)} />
              <code>{shortRun(run.id)}</code>
              {why && <span class="choice-why">{why}</span>}
            </label>
          );
        })}
      </fieldset>
    </Acceptance>
  );
}
