import type { CaseFields } from '../../../files/resolve/cases.ts';
import type { ScorerFields } from '../../../files/resolve/scorers.ts';
import { DRAFT_07 } from '../map/json.ts';
import { isTemplate } from '../read/templates.ts';
import type { Fields } from '../read/values.ts';

/** The like of a case in promptfoo, or why there is none. */
export type Exported =
  | { readonly assertion: Fields; readonly differences?: readonly string[] }
  | { readonly why: string };

interface Exporting {
  readonly config: Fields;
  readonly expected: unknown;
  readonly threshold: number;
}

type Export = (exporting: Exporting) => Exported;

/** Text that is rendered there as itself. */
const raw = (text: string): string =>
  isTemplate(text) || /^(?:file:\/\/|package:)/.test(text) ? `{% raw %}${text}{% endraw %}` : text;

/** What cannot stand in a block of raw text. */
const isUnwritable = (text: string): boolean => text.includes('{%');

const contains: Export = ({ config }) => {
  const values = config.values as readonly string[];
  if (values.some(isUnwritable)) return { why: UNWRITABLE };
  const folded = config.case_sensitive === false ? 'i' : '';
  const type = { all: 'contains-all', any: 'contains-any', none: 'contains-any' }[String(config.mode)] ?? '';
  return {
    assertion: { type: `${config.mode === 'none' ? 'not-' : ''}${folded}${type}`, value: values.map(raw) },
  };
};
const UNWRITABLE = 'holds {%, which promptfoo takes for a template';

const exactMatch: Export = ({ config, expected }) => {
  if (config.case_sensitive === false) return { why: 'compares in any case' };
  if (typeof expected === 'string') {
    return isUnwritable(expected)
      ? { why: UNWRITABLE }
      : { assertion: { type: 'equals', value: raw(expected) } };
  }
  if (typeof expected !== 'object' || expected === null)
    return { why: 'expects a number, true, false or nothing' };
  if (!Array.isArray(expected)) return { assertion: { type: 'equals', value: expected } };
  const isRendered = expected.some((item) => typeof item === 'string' && raw(item) !== item);
  return isRendered
    ? { why: 'expects a list with templates' }
    : { assertion: { type: 'equals', value: expected } };
};

const regex: Export = ({ config }) => {
  const pattern = String(config.pattern);
  if (config.flags !== '') return { why: 'is a pattern with flags' };
  if (pattern === '') return { why: 'is an empty pattern' };
  if (isUnwritable(pattern)) return { why: UNWRITABLE };
  return { assertion: { type: config.should_match === false ? 'not-regex' : 'regex', value: raw(pattern) } };
};

const jsonSchema: Export = ({ config }) => {
  const { schema, extract = 'whole' } = config as { readonly schema: Fields; readonly extract?: string };
  if (extract === 'fenced') return { why: 'reads JSON of a fenced block' };
  const { $schema, ...rules } = schema;
  const isAny = Object.keys(schema).length === 0;
  const differences = [
    ...(isAny || $schema === DRAFT_07 ? [] : ['promptfoo reads its schema as one of draft 07']),
    ...(extract === 'embedded'
      ? ['promptfoo takes several values of JSON, and almost JSON, but objects only']
      : []),
  ];
  const value = isAny ? {} : { value: $schema === undefined || $schema === DRAFT_07 ? schema : rules };
  return { assertion: { type: extract === 'embedded' ? 'contains-json' : 'is-json', ...value }, differences };
};

const FIGURES: ReadonlyMap<string, string> = new Map(
  Object.entries({ latency_ms: 'latency', cost_usd: 'cost' }),
);

const metric: Export = ({ config: { field, max, equals } }) => {
  if (field === 'finish_reason') return { assertion: { type: 'finish-reason', value: raw(String(equals)) } };
  const type = FIGURES.get(String(field));
  return type === undefined ? { why: `limits ${String(field)}` } : { assertion: { type, threshold: max } };
};

const JUDGES: ReadonlyMap<string, string> = new Map(
  Object.entries({ openai: 'openai:chat', anthropic: 'anthropic:messages' }),
);

const llmJudge: Export = ({ config: { _provider, model, rubric, scale }, threshold }) => {
  const text = String(rubric);
  if (isUnwritable(text)) return { why: UNWRITABLE };
  if (scale !== undefined) return { why: 'has a scale' };
  const named =
    JUDGES.get(String(_provider)) ?? (_provider === 'google' && model !== undefined ? 'google' : undefined);
  if (named === undefined) return { why: 'has a judge that promptfoo does not know by this name' };
  const provider = model === undefined ? named : `${named}:${String(model)}`;
  return {
    assertion: { type: 'llm-rubric', value: raw(text), threshold, provider },
    differences: ['promptfoo asks the judge whether it passes, too'],
  };
};

interface Exporter {
  /** The fields of the config that it takes over, or says why not. */
  readonly fields: readonly string[];
  readonly make: Export;
}

const EXPORTERS: ReadonlyMap<string, Exporter> = new Map([
  ['contains', { fields: ['values', 'mode', 'case_sensitive'], make: contains }],
  ['exact_match', { fields: ['case_sensitive'], make: exactMatch }],
  ['regex', { fields: ['pattern', 'flags', 'should_match'], make: regex }],
  ['json_schema', { fields: ['schema', 'extract'], make: jsonSchema }],
  ['metric', { fields: ['field', 'max', 'equals'], make: metric }],
  ['llm_judge', { fields: ['_provider', 'model', 'rubric', 'scale'], make: llmJudge }],
]);

/** One that the config sets, and that would be lost. */
const lostField = (config: Fields, { fields }: Exporter): string | undefined =>
  Object.keys(config).find(
    (name) => !fields.includes(name) && config[name] !== undefined && config[name] !== false,
  );

/** Fields of a case that promptfoo has no like for, where they say something. */
const LOST: readonly (readonly [keyof CaseFields, (fields: CaseFields) => boolean])[] = [
  ['must_pass', ({ must_pass }) => must_pass],
  ['advisory', ({ advisory }) => advisory !== null],
  ['tags', ({ tags }) => tags.length > 0],
  ['sample_count', ({ sample_count }) => sample_count > 1],
  ['description', ({ description }) => description !== null],
];

export function exportedCase(fields: CaseFields, scorer: ScorerFields): Exported {
  const { type, config, dual_sided } = scorer;
  const { expected, threshold, is_active, weight } = fields;
  const exporter = EXPORTERS.get(type);
  if (exporter === undefined) return { why: `the type ${type}` };
  const lostSetting = lostField(config, exporter);
  if (lostSetting !== undefined) return { why: `sets ${lostSetting}` };
  if (dual_sided) return { why: 'measures precision and recall' };
  if (threshold === 0) return { why: 'has a threshold of 0, which everything reaches' };
  const exported = exporter.make({ config, expected, threshold });
  if ('why' in exported) return exported;
  const lost = LOST.filter(([, says]) => says(fields)).map(([name]) => `${name} has no like there`);
  const lostWeight =
    !is_active && weight !== 1 ? ['its weight is lost, since weight 0 is what makes it inactive'] : [];
  const activeWeight = is_active ? weight : 0;
  return {
    assertion: { ...exported.assertion, ...(activeWeight === 1 ? {} : { weight: activeWeight }) },
    differences: [...(exported.differences ?? []), ...lost, ...lostWeight],
  };
}
