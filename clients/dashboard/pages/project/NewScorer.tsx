import type { JSX } from 'preact';
import { to } from '../../app/addresses.ts';
import { write } from '../../app/api.ts';
import { navigate } from '../../app/router.ts';
import { Field } from '../../parts/Fields.tsx';
import { TextField, useForm } from '../../parts/Form.tsx';
import { FormDialog } from '../../parts/FormDialog.tsx';
import { scorersKey } from '../bar/data.ts';
import { ConfigFields } from '../scorer/ConfigFields.tsx';
import { configOf, typedConfig } from '../scorer/config.ts';
import { SCORER_TYPES, type ScorerType, TYPES } from '../scorer/types.ts';

interface Props {
  readonly project: string;
  readonly onClose: () => void;
}

const FIRST = 'exact_match';

/** Makes a scorer and leads to its page, where it is tried. */
export function NewScorer({ project, onClose }: Props): JSX.Element {
  const form = useForm({ name: '', type: FIRST, ...typedConfig(FIRST) });
  const type = form.text('type') as ScorerType;
  const choose = (chosen: ScorerType) => form.set({ ...typedConfig(chosen), type: chosen });
  const create = async () => {
    const body = { name: form.text('name').trim(), type, config: configOf(form, type) };
    const { key } = await write((sdk) => sdk.scorers.create(project, body), scorersKey(project));
    form.settle(() => navigate(to.scorer(project, key)));
  };
  return (
    <FormDialog title="New scorer" verb="Create scorer" action={form.action} act={create} onClose={onClose}>
      <TextField
        {...{ form, name: 'name', label: 'Name' }}
        placeholder="Says both"
        isRequired
        lengthMax={100}
      />
      <Field label="How it judges">
        {(id) => (
          <select
            id={id}
            value={type}
            onChange={({ currentTarget: { value } }) => choose(value as ScorerType)}
          >
            {SCORER_TYPES.map((name) => (
              <option key={name} value={name}>
                {TYPES[name].label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <ConfigFields form={form} type={type} />
    </FormDialog>
  );
}
