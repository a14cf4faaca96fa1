import type { JSX } from 'preact';
import { to } from '../../kit/addresses.ts';
import { write } from '../../kit/api.ts';
import { navigate } from '../../kit/router.ts';
import { TextField, useForm } from '../../parts/Form.tsx';
import { FormDialog } from '../../parts/FormDialog.tsx';
import { scorersKey } from '../../parts/save/data.ts';
import { ConfigFields } from '../scorer/ConfigFields.tsx';
import { configOf, typedConfig } from '../scorer/config.ts';
import { typeOf } from '../scorer/fields.ts';
import { TypeField } from '../scorer/TypeField.tsx';

interface Props {
  readonly project: string;
  readonly onClose: () => void;
}

/** Makes a scorer and leads to its page, where it is tried. */
export function NewScorer({ project, onClose }: Props): JSX.Element {
  const form = useForm({ name: '', type: 'exact_match', ...typedConfig('exact_match') });
  const create = async () => {
    const type = typeOf(form);
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
      <TypeField form={form} />
      <ConfigFields form={form} type={typeOf(form)} />
    </FormDialog>
  );
}
