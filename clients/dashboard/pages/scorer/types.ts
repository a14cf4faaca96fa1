import type { Scorer } from '../../../sdk/index.ts';

export type ScorerType = Scorer['type'];

/** A field of a config. What is as `initial` says is left out, unless it is required. */
export interface ConfigField {
  readonly name: string;
  readonly label: string;
  readonly kind: 'check' | 'text' | 'area' | 'lines' | 'number' | 'json' | 'select';
  readonly initial?: string;
  readonly isRequired?: boolean;
  readonly options?: readonly (readonly [value: string, words: string])[];
  readonly hint?: string;
}

interface TypeWords {
  readonly label: string;
  readonly says: string;
  readonly fields: readonly ConfigField[];
}

const check = (name: string, label: string, initial = ''): ConfigField => ({
  name,
  label,
  kind: 'check',
  initial,
});
const select = (name: string, label: string, options: ConfigField['options']): ConfigField => ({
  ...{ name, label, kind: 'select', options: options ?? [], initial: options?.[0]?.[0] ?? '' },
});

const CASE = check('case_sensitive', 'Upper and lower case differ', 'on');
const NORMALIZE = check(
  'normalize',
  'Look-alikes count as equal: quotation marks, dashes, blanks, invisible characters',
);
const REASONING = check('ignore_reasoning', 'Leave out what stands between <think> and </think>');
const EXTRACT = select('extract', 'What of an output is read', [
  ['whole', 'all of it, as JSON'],
  ['fenced', 'its one fenced block'],
  ['embedded', 'its one object or array, wherever it stands'],
]);

export const PROVIDERS = [
  ['openai', 'OpenAI'],
  ['anthropic', 'Anthropic'],
  ['google', 'Google'],
  ['azure_openai', 'Azure OpenAI'],
] as const;

/** In the order in which they are offered. */
export const TYPES: Readonly<Record<ScorerType, TypeWords>> = {
  exact_match: {
    label: 'Exact match',
    says: 'The output equals what the case expects.',
    fields: [CASE, NORMALIZE, REASONING],
  },
  contains: {
    label: 'Contains',
    says: 'The output holds texts, or holds none of them.',
    fields: [
      { name: 'values', label: 'Texts, one a line', kind: 'lines', isRequired: true },
      select('mode', 'It has to hold', [
        ['all', 'all of them'],
        ['any', 'one of them'],
        ['none', 'none of them'],
      ]),
      CASE,
      NORMALIZE,
      REASONING,
    ],
  },
  regex: {
    label: 'Pattern',
    says: 'A regular expression is found in the output, or is not.',
    fields: [
      {
        name: 'pattern',
        label: 'Pattern',
        kind: 'text',
        isRequired: true,
        hint: "JavaScript's, without slashes.",
      },
      { name: 'flags', label: 'Flags', kind: 'text', hint: 'Of dgimsuy.' },
      check('should_match', 'It has to be found; else it must not be', 'on'),
      NORMALIZE,
      REASONING,
    ],
  },
  json_schema: {
    label: 'JSON schema',
    says: 'The output is JSON of a shape.',
    fields: [
      {
        name: 'schema',
        label: 'Schema',
        kind: 'json',
        isRequired: true,
        initial: '{\n  "type": "object",\n  "required": []\n}',
      },
      EXTRACT,
      REASONING,
    ],
  },
  json_path: {
    label: 'JSON values',
    says: 'Assertions on single values of a JSON output.',
    fields: [
      {
        ...{ name: 'assertions', label: 'Assertions', kind: 'json', isRequired: true },
        initial: '[\n  { "path": "$.total", "op": "equals", "value": 1 }\n]',
      },
      EXTRACT,
      check('partial', 'The score is the share that holds; else all have to'),
      REASONING,
    ],
  },
  similarity: {
    label: 'Similarity',
    says: 'The output is close to the text that the case expects.',
    fields: [
      {
        ...select('metric', 'Measured by', [
          ['levenshtein', 'letters (Levenshtein)'],
          ['rouge_l', 'words in their order (ROUGE-L)'],
        ]),
        isRequired: true,
      },
      CASE,
      check('normalize_whitespace', 'Any run of blanks counts as one', 'on'),
      check('same_numbers', 'The output has each number of the expected text'),
      REASONING,
    ],
  },
  metric: {
    label: 'Metric',
    says: 'A figure that the program sent with its output is within a bound.',
    fields: [
      {
        ...select('field', 'Figure', [
          ['latency_ms', 'latency in ms'],
          ['input_tokens', 'input tokens'],
          ['output_tokens', 'output tokens'],
          ['total_tokens', 'all tokens'],
          ['cost_usd', 'cost in USD'],
          ['finish_reason', 'finish reason'],
        ]),
        isRequired: true,
      },
      { name: 'max', label: 'At most', kind: 'number', hint: 'Of every figure but the finish reason.' },
      { name: 'equals', label: 'Equals', kind: 'text', hint: 'Of the finish reason only.' },
    ],
  },
  trajectory: {
    label: 'Tool calls',
    says: 'The trace of an agent makes the calls that it has to, and none that are forbidden.',
    fields: [
      { name: 'calls', label: 'Calls', kind: 'json', initial: '[\n  { "tool": "lookup" }\n]' },
      select('order', 'Order', [
        ['any_order', 'any'],
        ['in_order', 'as they stand here'],
      ]),
      { name: 'forbidden', label: 'Forbidden tools, one a line', kind: 'lines', hint: 'Such as delete_*.' },
    ],
  },
  llm_judge: {
    label: 'Judge',
    says: 'A language model judges the output by a rubric, with your key of its provider.',
    fields: [
      { name: 'rubric', label: 'Rubric', kind: 'area', isRequired: true },
      { ...select('_provider', 'Provider', PROVIDERS), isRequired: true },
      { name: 'model', label: 'Model', kind: 'text', hint: 'Left empty: the default of this service.' },
      REASONING,
    ],
  },
};

export const SCORER_TYPES = Object.keys(TYPES) as ScorerType[];
