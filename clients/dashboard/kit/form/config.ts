import type { Scorer } from '../../../sdk/index.ts';
import { jsonOf, type Typed, type Values } from './form.ts';
import { forms, scorerForm } from './forms.ts';
import { labelsOf, leftOut, readWithoutDefaults, typedFields } from './typed.ts';

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

export const CONFIG_LABELS: Values = {
  ...Object.assign({}, ...forms.scorers.map(({ fields }) => labelsOf(fields, CONFIG))),
  [CONFIG]: 'Other fields',
};
