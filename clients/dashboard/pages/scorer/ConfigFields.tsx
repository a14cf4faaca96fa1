import type { JSX } from 'preact';
import { CheckField, type Form, JsonArea, SelectField, TextArea, TextField } from '../../parts/Form.tsx';
import { fieldName, OTHERS } from './config.ts';
import { type ConfigField, type ScorerType, TYPES } from './types.ts';

function OneField({ form, field }: { readonly form: Form; readonly field: ConfigField }): JSX.Element {
  const { kind, label, hint, options = [], isRequired = false } = field;
  const common = { form, name: fieldName(field), label, hint, isRequired };
  if (kind === 'check') return <CheckField {...common} />;
  if (kind === 'select') return <SelectField {...common} options={options} />;
  if (kind === 'json') return <JsonArea {...common} rows={6} />;
  if (kind === 'area' || kind === 'lines') return <TextArea {...common} rows={kind === 'area' ? 6 : 3} />;
  return <TextField {...common} type={kind === 'number' ? 'number' : 'text'} />;
}

interface Props {
  readonly form: Form;
  readonly type: ScorerType;
}

/** What a scorer of a type wants to know. */
export function ConfigFields({ form, type }: Props): JSX.Element {
  const fields = TYPES[type].fields;
  const main = fields.filter(({ kind }) => kind !== 'check');
  const checks = fields.filter(({ kind }) => kind === 'check');
  const others = form.text(OTHERS);
  return (
    <>
      <p class="hint">{TYPES[type].says}</p>
      {main.map((field) => (
        <OneField key={field.name} form={form} field={field} />
      ))}
      {checks.length > 0 && (
        <div class="checks">
          {checks.map((field) => (
            <OneField key={field.name} form={form} field={field} />
          ))}
        </div>
      )}
      {others !== '' && <JsonArea form={form} name={OTHERS} label="Other fields of its config (JSON)" />}
    </>
  );
}
