import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { share } from '../../../report/numbers.ts';
import { stateOf } from '../../../report/types.ts';
import { write } from '../../app/api.ts';
import { TextField, useForm } from '../../parts/Form.tsx';
import { FormDialog } from '../../parts/FormDialog.tsx';
import { Loading, Trouble } from '../../parts/Notice.tsx';
import { Time } from '../../parts/Time.tsx';
import { State } from '../../parts/Verdict.tsx';
import { shortRun } from '../../parts/Words.tsx';
import { suitesKey } from '../bar/data.ts';
import { useRuns } from '../suite/data.ts';
import type { DialogProps } from './data.ts';
import { touchedByBaseline } from './data.ts';

const RUNS_MAX = 5;

/** Makes some of the latest runs what later ones are compared with. */
export function Accept({ project, suite, onClose }: DialogProps): JSX.Element {
  const { data, problem, reload } = useRuns(suite.id, 1);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const form = useForm({ reason: '' });
  const ended = data?.data.filter(({ status }) => status !== 'pending');
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  const accept = async () => {
    const body = { run_ids: chosen, reason: form.text('reason').trim() || null };
    await write(
      (sdk) => sdk.baselines.accept(suite.id, body),
      ...[...touchedByBaseline(suite.id), suitesKey(project)],
    );
    form.settle();
  };
  return (
    <FormDialog
      title="Accept runs as the baseline"
      verb="Accept"
      action={form.action}
      act={accept}
      onClose={onClose}
      isDisabled={chosen.length === 0}
    >
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
            <code class="muted">{shortRun(run.id)}</code>
          </label>
        ))}
      </fieldset>
      <TextField
        {...{ form, name: 'reason', label: 'Why' }}
        placeholder="Released as 2.3.0"
        lengthMax={2_000}
      />
    </FormDialog>
  );
}
