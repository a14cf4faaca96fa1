import type { JSX } from 'preact';
import type { Scorer, ScorersUpdateBody } from '../../../sdk/index.ts';
import { write } from '../../kit/api.ts';
import { FormButtons } from '../../parts/Fields.tsx';
import { CheckField, type Form, TextField, useForm } from '../../parts/Form.tsx';
import { scorersKey } from '../../parts/save/data.ts';
import { movesOfScorer } from '../../parts/save/moves.ts';
import { useBarSave } from '../../parts/save/useBarSave.tsx';
import { ConfigFields } from './ConfigFields.tsx';
import { changedScorer, LABELS, typedScorer, typeOf } from './fields.ts';
import { TypeField } from './TypeField.tsx';

interface Props {
  readonly project: string;
  readonly scorer: Scorer;
  /** With the key that it has now. */
  readonly onDone: (key: string) => void;
}

export function EditScorer({ project, scorer, onDone }: Props): JSX.Element {
  const form = useForm(typedScorer(scorer));
  const { submit, notices } = useBarSave({
    form,
    labels: LABELS,
    version: scorer.version,
    body: changedScorer,
    moves: (changed, there) =>
      movesOfScorer(project, { ...there.scorer, ...(changed as Partial<Scorer>), key: there.scorer.key }),
    put: (changed: ScorersUpdateBody, expected_version) =>
      write(
        (sdk) => sdk.scorers.update(scorer.id, { ...changed, expected_version }),
        ...[scorersKey(project), `scorers/${scorer.id}`],
      ),
    now: async () => {
      const now = await write((sdk) => sdk.scorers.get(scorer.id));
      return { scorer: now, values: typedScorer(now), version: now.version };
    },
    onSaved: ({ text }) => onDone(text('key').trim() || scorer.key),
  });
  return (
    <form class="card" onSubmit={submit} aria-label="Edit the scorer">
      <TextField {...{ form, name: 'name', label: LABELS.name }} isRequired lengthMax={100} />
      <TypeField form={form} />
      <ConfigFields form={form} type={typeOf(form)} />
      <Further form={form} />
      {notices}
      <FormButtons verb="Save" isBusy={form.action.isBusy} onCancel={() => onDone(scorer.key)} />
    </form>
  );
}

function Further({ form }: { readonly form: Form }): JSX.Element {
  return (
    <details
      class="further"
      onInvalidCapture={({ currentTarget }) => {
        currentTarget.open = true;
      }}
    >
      <summary>Key, precision and recall</summary>
      <div class="stack">
        <TextField
          {...{ form, name: 'key', label: LABELS.key }}
          isRequired
          hint="By which suites in files name it."
        />
        <CheckField
          {...{ form, name: 'dual_sided', label: LABELS.dual_sided }}
          hint="The score is their F1, and both bounds have to hold."
        />
        {form.isOn('dual_sided') && (
          <div class="nested columns">
            {(['precision_threshold', 'recall_threshold'] as const).map((name) => (
              <TextField
                key={name}
                {...{ form, name, label: LABELS[name] }}
                type="number"
                min={0}
                max={1}
                hint="0 to 1; left empty: none."
              />
            ))}
          </div>
        )}
      </div>
    </details>
  );
}
