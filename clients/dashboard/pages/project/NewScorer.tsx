import type { JSX } from 'preact';
import type { Scorer } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { write } from '../../kit/api.ts';
import { configOf, typedConfig } from '../../kit/form/config.ts';
import { useForm } from '../../kit/form/form.ts';
import { FIRST_TYPE, fieldIn, forms } from '../../kit/form/forms.ts';
import { navigate } from '../../kit/router.ts';
import { FormDialog } from '../../parts/FormDialog.tsx';
import { ConfigFields, TypeField } from '../../parts/fields/ConfigFields.tsx';
import { DescribedField } from '../../parts/fields/DescribedFields.tsx';
import { scorersKey } from '../../parts/save/data.ts';

interface Props {
  readonly project: string;
  readonly onClose: () => void;
}

/** Makes a scorer and leads to its page, where it is tried. */
export function NewScorer({ project, onClose }: Props): JSX.Element {
  const form = useForm({ name: '', type: FIRST_TYPE, ...typedConfig(FIRST_TYPE) });
  const create = async () => {
    const type = form.text('type') as Scorer['type'];
    const body = { name: form.text('name').trim(), type, config: configOf(form, type) };
    const { key } = await write((sdk) => sdk.scorers.create(project, body), scorersKey(project));
    form.settle(() => navigate(to.scorer(project, key)));
  };
  return (
    <FormDialog title="New scorer" verb="Create scorer" action={form.action} act={create} onClose={onClose}>
      <DescribedField form={form} field={fieldIn(forms.scorer, 'name')} />
      <TypeField form={form} />
      <ConfigFields form={form} type={form.text('type')} />
    </FormDialog>
  );
}
