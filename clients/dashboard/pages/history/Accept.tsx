import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { share } from '../../../gate/report/numbers.ts';
import { originWords } from '../../../gate/report/review/origin.ts';
import { stateOf } from '../../../gate/report/types.ts';
import { write } from '../../kit/api.ts';
import { useForm } from '../../kit/form/form.ts';
import { comparesWithBaseline } from '../../kit/form/forms.ts';
import { SelectField, TextField } from '../../parts/Form.tsx';
import { FormDialog } from '../../parts/FormDialog.tsx';
import { Loading, Trouble } from '../../parts/Notice.tsx';
import { useRuns } from '../../parts/runs/data.ts';
import { suitesKey } from '../../parts/save/data.ts';
import { Time } from '../../parts/Time.tsx';
import { State } from '../../parts/Verdict.tsx';
import { Foreign, shortRun } from '../../parts/Words.tsx';
import type { DialogProps } from './data.ts';
import { touchedByBaseline } from './data.ts';

const RUNS_MAX = 5;

/** What the baseline can hold up. */
const GATES = {
  newly: { max_newly_failing: 0 },
  regression: { regression: {} },
} as const;
const OPTIONS = [
  ['', 'Choose one'],
  ['newly', 'max_newly_failing: 0 – no case may newly fail'],
  ['regression', 'regression – not worse by more than chance'],
  ['none', 'None: it only shows what got worse'],
] as const;

/** Makes some of the latest runs what later ones are compared with. */
export function Accept({ project, suite, onClose }: DialogProps): JSX.Element {
  const { data, problem, reload } = useRuns(suite.id, 1, {});
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const form = useForm({ reason: '', gate: '' });
  const needsGate = !comparesWithBaseline(suite.gates);
  const gate = GATES[form.text('gate') as keyof typeof GATES];
  // The next push would take an edit back.
  const isPushed = suite.last_push !== null;
  const ended = data?.data.filter(({ status }) => status !== 'pending');
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  const accept = async () => {
    const body = { run_ids: chosen, reason: form.text('reason').trim() || null };
    await write(
      (sdk) => sdk.baselines.accept(suite.id, body),
      ...touchedByBaseline(suite.id),
      suitesKey(project),
    );
    if (needsGate && gate !== undefined && !isPushed) await setGate(gate);
    form.settle();
  };
  const setGate = (added: object) =>
    write(
      (sdk) =>
        sdk.suites.update(project, suite.slug, {
          gates: { ...suite.gates, ...added },
          expected_version: suite.version,
        }),
      suitesKey(project),
    );
  return (
    <FormDialog
      title="Accept runs as the baseline"
      verb="Accept"
      action={form.action}
      act={accept}
      onClose={onClose}
      isDisabled={chosen.length === 0 || (needsGate && form.text('gate') === '')}
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
            <Foreign text={originWords(run)} />
            <code class="muted">{shortRun(run.id)}</code>
          </label>
        ))}
      </fieldset>
      {needsGate && (
        <SelectField
          {...{ form, name: 'gate', label: 'Which gate compares runs with it?', options: OPTIONS }}
          hint={gateHint(form.text('gate'), isPushed ? gate : undefined)}
        />
      )}
      <TextField
        {...{ form, name: 'reason', label: 'Why' }}
        placeholder="Released as 2.3.0"
        lengthMax={2_000}
      />
    </FormDialog>
  );
}

function gateHint(name: string, added: object | undefined): string {
  if (name === 'none')
    return 'The baseline blocks nothing: runs that are worse are cleared by the other gates.';
  if (added === undefined) return 'The suite has no gate on the comparison yet.';
  return `The suite is pushed from files: add gates: ${JSON.stringify(added)} to its file, and push it.`;
}
