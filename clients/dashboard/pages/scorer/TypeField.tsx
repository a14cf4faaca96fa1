import type { JSX } from 'preact';
import { type Form, SelectField } from '../../parts/Form.tsx';
import { typedConfig } from './config.ts';
import { LABELS } from './fields.ts';
import { SCORER_TYPES, type ScorerType, TYPES } from './types.ts';

/** With a type come the fields of its config. */
export function TypeField({ form }: { readonly form: Form }): JSX.Element {
  const choose: Form = {
    ...form,
    set: (fields) => form.set({ ...typedConfig((fields.type ?? 'exact_match') as ScorerType), ...fields }),
  };
  return (
    <SelectField
      {...{ form: choose, name: 'type', label: LABELS.type }}
      options={SCORER_TYPES.map((type) => [type, TYPES[type].label])}
    />
  );
}
