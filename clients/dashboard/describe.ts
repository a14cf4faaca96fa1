import { withWords } from '../../shared/contracts/base/fields.ts';
import { DEPLOYED_PROVIDERS, PROVIDER_NAMES } from '../../shared/contracts/base/providers.ts';
import { caseFormSchema } from '../../shared/contracts/cases.ts';
import { trustedIssuerForms } from '../../shared/contracts/credentials/trustedIssuerForms.ts';
import { scorerFormSchema } from '../../shared/contracts/scorers.ts';
import { suiteFormSchema } from '../../shared/contracts/suites.ts';
import type { DeterministicScorer } from '../../shared/scoring/kit/definition.ts';
import { scorers } from '../../shared/scoring/registry.ts';
import type { Field, Fields, Forms, Input, ScorerForm } from './kit/form/description.ts';

/** What `withWords` prints: JSON Schema with the words for a field beside its keywords. */
type Described = ReturnType<typeof withWords>;

const isNull = (schema: Described): boolean => schema.type === 'null';

/** A schema that allows null, without that. */
function withoutNull(schema: Described): Described {
  const branches = (schema.anyOf ?? []) as Described[];
  const otherBranches = branches.filter((branch) => !isNull(branch));
  return otherBranches.length === 1 && otherBranches.length < branches.length
    ? { ...otherBranches[0], ...schema }
    : schema;
}

function inputOf({ widget, type, enum: values, items }: Described): Input {
  if (widget !== undefined) return widget as Input;
  if (values !== undefined && type === 'string') return 'select';
  if (type === 'boolean') return 'check';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'string') return 'text';
  return type === 'array' && (items as Described | undefined)?.type === 'string' ? 'lines' : 'json';
}

/** The name with bound and unit. */
function labelOf(title: string, { bound, unit }: Described): string {
  const isPercent = unit === 'percent';
  if (bound !== undefined) return `${title}, at ${bound}${isPercent ? ', in %' : ''}`;
  return isPercent ? `${title} in %` : title;
}

const optionsOf = ({ enum: values, options }: Described): Field['options'] => {
  if (options !== undefined) return Object.entries(options as Record<string, string>);
  return (values as string[] | undefined)?.map((value) => [value, value]);
};

/** JSON drops what is undefined. */
type Loose<Shape> = { readonly [Name in keyof Shape]: Shape[Name] | undefined };

function fieldOf(name: string, printed: Described, isRequired: boolean): Loose<Field> {
  const schema = withoutNull(printed);
  const { label = name, items } = schema;
  const input = inputOf(schema);
  const inner = input === 'rows' ? (items as Described) : schema;
  const isNumber = input === 'number';
  return {
    name,
    input,
    label: labelOf(String(label), schema),
    title: String(schema.result ?? label),
    hint: schema.hint as string | undefined,
    placeholder: schema.placeholder as string | undefined,
    bound: schema.bound as Field['bound'],
    isPercent: schema.unit === 'percent' || undefined,
    isRequired: isRequired || (isNumber && schema.default != null) || undefined,
    isNullable: schema !== printed || undefined,
    isTrimmed: schema.isTrimmed as boolean | undefined,
    isFurther: schema.isFurther as boolean | undefined,
    absent: schema.default ?? schema.absent ?? (input === 'check' ? false : undefined),
    sample: schema.sample,
    min: isNumber ? (schema.minimum ?? (schema.exclusiveMinimum as number | undefined)) : undefined,
    max: isNumber && schema.maximum !== Number.MAX_SAFE_INTEGER ? schema.maximum : undefined,
    lengthMax: schema.maxLength,
    options: optionsOf(schema),
    fields: input === 'group' || input === 'rows' ? (fieldsOf(inner).fields as Field[]) : undefined,
    row: schema.row as string | undefined,
  };
}

function fieldsOf({ properties = {}, required = [], further = 'More' }: Described): Fields {
  const fields = Object.entries(properties).map(([name, schema]) =>
    fieldOf(name, schema as Described, required.includes(name)),
  );
  return { fields: fields as Field[], further: String(further) };
}

function scorerFormOf(definition: (typeof scorers)[number]): ScorerForm {
  const config = withWords(definition.configSchema());
  const traits: Partial<DeterministicScorer<unknown>> = 'question' in definition ? {} : definition;
  return {
    ...fieldsOf(config),
    type: definition.type,
    label: String(config.label ?? definition.type),
    hint: String(config.hint ?? ''),
    isJudged: 'question' in definition,
    readsTrace: traits.readsTrace === true,
    readsMetadata: traits.readsMetadata === true,
    needsExpected: traits.needsExpected === true,
  };
}

/** All that the forms of the dashboard know of the contracts. */
export const describeForms = (): Forms => ({
  scorers: scorers.map(scorerFormOf),
  scorer: fieldsOf(withWords(scorerFormSchema)),
  case: fieldsOf(withWords(caseFormSchema)),
  suite: fieldsOf(withWords(suiteFormSchema)),
  trustedIssuers: Object.entries(trustedIssuerForms).map(([kind, schema]) => {
    const form = withWords(schema);
    return { ...fieldsOf(form), kind, label: String(form.label) };
  }),
  providers: Object.entries(PROVIDER_NAMES),
  deployedProviders: DEPLOYED_PROVIDERS,
});
