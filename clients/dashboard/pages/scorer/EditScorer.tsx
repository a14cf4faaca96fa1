import type { JSX } from 'preact';
import type { Scorer, ScorersUpdateBody } from '../../../sdk/index.ts';
import { write } from '../../kit/api.ts';
import { CONFIG, configOf, SCORER_FIELDS, typedConfig } from '../../kit/form/config.ts';
import { type Form, type Typed, useForm, type Values } from '../../kit/form/form.ts';
import { fieldIn, forms } from '../../kit/form/forms.ts';
import { readChanged, typedFields } from '../../kit/form/typed.ts';
import { FormButtons } from '../../parts/Fields.tsx';
import { ConfigFields, TypeField } from '../../parts/fields/ConfigFields.tsx';
import { DescribedField, Folded } from '../../parts/fields/DescribedFields.tsx';
import { scorersKey } from '../../parts/save/data.ts';
import { movesOfScorer } from '../../parts/save/moves.ts';
import { useBarSave } from '../../parts/save/useBarSave.tsx';

const OWN = forms.scorer.fields;

/** A scorer as it would be typed. */
const typedScorer = (scorer: Scorer): Values => ({
  ...typedFields(OWN, { ...scorer }),
  type: scorer.type,
  ...typedConfig(scorer.type, scorer.config),
});

/** Only what was changed. */
function changedScorer(form: Typed): ScorersUpdateBody {
  const isChanged = (name: string): boolean => form.text(name) !== (form.saved[name] ?? '');
  const type = form.text('type') as Scorer['type'];
  const isConfigChanged =
    isChanged('type') || Object.keys(form.values).some((name) => name.startsWith(CONFIG) && isChanged(name));
  return {
    ...readChanged(OWN, form),
    ...(isChanged('type') && { type }),
    ...(isConfigChanged && { config: configOf(form, type) }),
  };
}

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
    fields: SCORER_FIELDS,
    typed: typedScorer,
    version: scorer.version,
    body: changedScorer,
    moves: (changed, stored) =>
      movesOfScorer(project, { ...stored, ...(changed as Partial<Scorer>), key: stored.key }),
    put: (changed: ScorersUpdateBody, expected_version) =>
      write(
        (sdk) => sdk.scorers.update(scorer.id, { ...changed, expected_version }),
        scorersKey(project),
        `scorers/${scorer.id}`,
      ),
    now: async () => {
      const stored = await write((sdk) => sdk.scorers.get(scorer.id));
      return { stored, version: stored.version };
    },
    onSaved: ({ text }) => onDone(text('key').trim() || scorer.key),
  });
  return (
    <form class="card" onSubmit={submit} aria-label="Edit the scorer">
      <DescribedField form={form} field={fieldIn(forms.scorer, 'name')} />
      <TypeField form={form} />
      <ConfigFields form={form} type={form.text('type')} />
      <KeyAndSides form={form} />
      {notices}
      <FormButtons verb="Save" isBusy={form.action.isBusy} onCancel={() => onDone(scorer.key)} />
    </form>
  );
}

function KeyAndSides({ form }: { readonly form: Form }): JSX.Element {
  const field = (name: string) => <DescribedField form={form} field={fieldIn(forms.scorer, name)} />;
  return (
    <Folded summary="Key, precision and recall">
      {field('key')}
      {field('dual_sided')}
      {form.isOn('dual_sided') && (
        <div class="nested columns">
          {field('precision_threshold')}
          {field('recall_threshold')}
        </div>
      )}
    </Folded>
  );
}
