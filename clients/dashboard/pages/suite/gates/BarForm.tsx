import type { JSX } from 'preact';
import { write } from '../../../kit/api.ts';
import { FormButtons } from '../../../parts/Fields.tsx';
import { CheckField, type Form, SelectField, TextField, useForm } from '../../../parts/Form.tsx';
import { suitesKey } from '../../../parts/save/data.ts';
import { movesOf } from '../../../parts/save/moves.ts';
import { Pushed } from '../../../parts/save/Pushed.tsx';
import { useBarSave } from '../../../parts/save/useBarSave.tsx';
import type { SuiteProps } from '../data.ts';
import { type Changed, changedFields, KEPT, LABELS, typedSuite } from './fields.ts';
import { GateFields } from './GateFields.tsx';

interface Props extends SuiteProps {
  readonly onClose: () => void;
}

/** Edits what a run of the suite has to reach. */
export function BarForm({ project, suite, onClose }: Props): JSX.Element {
  const form = useForm(typedSuite(suite));
  const { submit, notices } = useBarSave({
    form,
    labels: LABELS,
    version: suite.version,
    body: changedFields,
    moves: (changed, there) => movesOf(project, { ...there.suite, ...changed }, {}),
    put: (changed: Changed, expected_version) =>
      write(
        (sdk) => sdk.suites.update(project, suite.slug, { ...changed, expected_version }),
        suitesKey(project),
      ),
    now: async () => {
      const now = await write((sdk) => sdk.suites.get(project, suite.slug));
      return { suite: now, values: typedSuite(now), version: now.version };
    },
    onSaved: onClose,
  });
  return (
    <form class="card part bar-form" aria-label="The bar" onSubmit={submit}>
      <h2>The bar</h2>
      <Pushed suite={suite} />
      <div class="form-columns">
        <TextField
          {...{ form, name: 'pass_threshold', label: LABELS.pass_threshold }}
          hint="The share of the cases, by weight, that has to pass."
          type="number"
          min={0}
          max={100}
          isRequired
        />
        <TextField {...{ form, name: 'name', label: LABELS.name }} isRequired lengthMax={100} />
        <TextField {...{ form, name: 'description', label: LABELS.description }} lengthMax={2_000} />
      </div>
      <GateFields form={form} />
      <Texts form={form} />
      {notices}
      <FormButtons verb="Save" isBusy={form.action.isBusy || !form.isChanged} onCancel={onClose} />
    </form>
  );
}

/** What of outputs and cases is kept and seen. */
function Texts({ form }: { readonly form: Form }): JSX.Element {
  return (
    <fieldset class="form-group">
      <legend>Texts</legend>
      <div class="form-columns">
        <SelectField
          {...{ form, name: 'keep_outputs', label: LABELS.keep_outputs }}
          hint="As excerpts of 2,000 characters, with each run."
          options={Object.entries(KEPT)}
        />
      </div>
      <div class="checks">
        <CheckField {...{ form, name: 'show_expected', label: LABELS.show_expected }} />
        <CheckField {...{ form, name: 'show_inputs', label: LABELS.show_inputs }} />
      </div>
    </fieldset>
  );
}
