import type { Scorer } from '../../../sdk/index.ts';
import type { Field } from './description.ts';
import { jsonOf, type Typed, type Values } from './form.ts';
import { forms, scorerForm } from './forms.ts';
import { leftOut, readWithoutDefaults, typedFields } from './typed.ts';

type Config = Scorer['config'];

/** Where a form has the fields of a config. Those that it cannot show are JSON under the name itself. */
export const CONFIG = 'config';

/** `config` undefined: of a scorer that is not there yet. */
export function typedConfig(type: string, config?: Config): Values {
  const { fields } = scorerForm(type);
  const otherFields = config === undefined ? {} : leftOut(fields, config);
  return {
    ...typedFields(fields, config, CONFIG),
    [CONFIG]: Object.keys(otherFields).length === 0 ? '' : JSON.stringify(otherFields, null, 2),
  };
}

export function configOf(form: Typed, type: string): Config {
  const otherFields = form.text(CONFIG).trim() === '' ? {} : (jsonOf(form, CONFIG, 'Other fields') as object);
  return { ...otherFields, ...readWithoutDefaults(scorerForm(type).fields, form, CONFIG) };
}

export const TYPE: Field = {
  name: 'type',
  input: 'select',
  label: 'Type',
  title: 'Type',
  isRequired: true,
  options: forms.scorers.map(({ type, label }) => [type, label]),
};

/** The fields of a scorer with those of its config, which the types share by their names. */
export const SCORER_FIELDS: readonly Field[] = [
  ...forms.scorer.fields,
  TYPE,
  {
    name: CONFIG,
    input: 'group',
    label: 'Other fields',
    title: 'Config',
    isRequired: true,
    fields: [
      ...new Map(forms.scorers.flatMap(({ fields }) => fields.map((one) => [one.name, one]))).values(),
    ],
  },
];
