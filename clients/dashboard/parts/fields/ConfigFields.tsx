import type { JSX } from 'preact';
import { CONFIG, CONFIG_LABELS, typedConfig } from '../../kit/form/config.ts';
import type { Form } from '../../kit/form/form.ts';
import { forms, scorerForm } from '../../kit/form/forms.ts';
import { JsonArea, SelectField } from '../Form.tsx';
import { DescribedFields } from './DescribedFields.tsx';

interface Props {
  readonly form: Form;
  readonly type: string;
}

/** The fields of the config of a scorer of this type, which `describe.ts` takes from `shared/scoring/scorers/`. */
export function ConfigFields({ form, type }: Props): JSX.Element {
  const { hint, fields, further } = scorerForm(type);
  return (
    <>
      <p class="hint">{hint}</p>
      <DescribedFields form={form} prefix={CONFIG} fields={fields} further={further} />
      {form.text(CONFIG) !== '' && (
        <JsonArea form={form} name={CONFIG} label={`${CONFIG_LABELS[CONFIG]} of its config (JSON)`} />
      )}
    </>
  );
}

/** With a type come the fields of its config. */
export function TypeField({ form }: Pick<Props, 'form'>): JSX.Element {
  const choose: Form = {
    ...form,
    set: (fields) => form.set({ ...typedConfig(fields.type ?? ''), ...fields }),
  };
  return (
    <SelectField
      form={choose}
      name="type"
      label="Type"
      options={forms.scorers.map(({ type, label }) => [type, label])}
    />
  );
}
