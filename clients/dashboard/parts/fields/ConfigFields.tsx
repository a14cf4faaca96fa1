import type { JSX } from 'preact';
import { CONFIG, TYPE, typedConfig } from '../../kit/form/config.ts';
import type { Form } from '../../kit/form/form.ts';
import { scorerForm } from '../../kit/form/forms.ts';
import { JsonArea } from '../Form.tsx';
import { DescribedField, DescribedFields } from './DescribedFields.tsx';

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
        <JsonArea form={form} name={CONFIG} label="Other fields of its config (JSON)" />
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
  return <DescribedField form={choose} field={TYPE} />;
}
