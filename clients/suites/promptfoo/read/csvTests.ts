import type { Located } from '../../locate.ts';
import { atOnePlace } from '../../read/jsonText.ts';
import { type Problems, startOf } from '../../read/problems.ts';
import { readCsv } from './csv.ts';

/** Tests of a CSV file: a column is a variable, but for those that begin with two underscores. */
export function readCsvTests(file: string, text: string, problems: Problems): Located[] {
  const [head, ...rows] = readCsv(text);
  if (head === undefined) return [];
  const columns = head.fields.map((column) => column.trim());
  if (columns.includes('__proto__')) {
    problems.error(startOf(file), '__proto__ is not the name of a column: rename it');
    return [];
  }
  return rows.flatMap(({ line, fields }, index) => {
    const place = { ...startOf(file), line };
    if (fields.length !== columns.length) {
      const message = `has ${fields.length} fields, and the first line has ${columns.length}: correct it`;
      problems.error(place, message);
      return [];
    }
    const row = columns.map((column, at): Cell => [column, fields[at] ?? '']);
    return [atOnePlace(testOf(row, index + 1), place)];
  });
}

type Cell = readonly [column: string, text: string];

function testOf(row: readonly Cell[], number: number): Readonly<Record<string, unknown>> {
  const cell = (name: string) => row.find(([column]) => column === name)?.[1] ?? '';
  const asserts = row
    .filter(([column, text]) => column.startsWith('__expected') && text.trim() !== '')
    .map(([, text], index) => ({
      ...assertionOf(text.trim()),
      ...(cell('__metric') === '' ? {} : { metric: cell('__metric') }),
      ...thresholdOf(row, index),
    }));
  const threshold = Number.parseFloat(cell('__threshold'));
  const output = cell('__providerOutput');
  return {
    description: cell('__description') || `Row #${number}`,
    vars: Object.fromEntries(row.filter(([column]) => !column.startsWith('__'))),
    assert: asserts,
    ...(threshold ? { threshold } : {}),
    ...(output === '' ? {} : { providerOutput: output }),
  };
}

/** `__config:__expected2:threshold`: columns count from 1, and the one without a number is the first. */
function thresholdOf(row: readonly Cell[], index: number): { readonly threshold?: number } {
  for (const [column, text] of row) {
    const [, number = '1'] = /^__config:__expected(\d+)?:threshold$/.exec(column) ?? [undefined, '0'];
    const threshold = Number.parseFloat(text);
    if (Number(number) === index + 1 && Number.isFinite(threshold)) return { threshold };
  }
  return {};
}

/** The types that a cell can begin with. Any other text is compared as it is. */
const TYPES = [
  ...[
    'agent-rubric',
    'answer-relevance',
    'bleu',
    'classifier',
    'contains-all',
    'contains-any',
    'contains-html',
  ],
  ...['contains-json', 'contains-sql', 'contains-xml', 'contains', 'context-faithfulness', 'context-recall'],
  ...[
    'context-relevance',
    'conversation-relevance',
    'cost',
    'ends-with',
    'equals',
    'factuality',
    'finish-reason',
  ],
  ...['g-eval', 'gleu', 'guardrails', 'icontains-all', 'icontains-any', 'icontains', 'is-html', 'is-json'],
  ...[
    'is-refusal',
    'is-sql',
    'is-valid-function-call',
    'is-valid-openai-function-call',
    'is-valid-openai-tools-call',
  ],
  ...['is-xml', 'javascript', 'latency', 'levenshtein', 'llm-rubric', 'meteor', 'model-graded-closedqa'],
  ...[
    'model-graded-factuality',
    'moderation',
    'perplexity-score',
    'perplexity',
    'pi',
    'python',
    'regex',
    'rouge-n',
  ],
  ...[
    'ruby',
    'search-rubric',
    'similar',
    'skill-used',
    'starts-with',
    'tool-call-f1',
    'webhook',
    'word-count',
  ],
];
export const EXPECTED = new RegExp(
  `^((?:not-)?(?:${TYPES.join('|')}))(?:\\((\\d+(?:\\.\\d+)?)\\))?(?::([\\s\\S]*))?$`,
);
const PROGRAM = /^(?:javascript:|fn:|eval:|file:\/\/(?=.*\.[cm]?[jt]s(?::\w+)?$))([\s\S]*)$/;
const SCRIPT = /^(?:python:|file:\/\/(?=.*\.py(?::|$)))([\s\S]*)$/;
const WITH_LIST = /^(?:not-)?i?contains-(?:all|any)$/;
const WITH_THRESHOLD =
  /^(?:not-)?(?:answer-relevance|classifier|context-\w+|cost|latency|levenshtein|perplexity(?:-score)?|rouge-n|similar|starts-with)$/;

/** `contains: Paris`, `similar(0.8): hello`, or a text to be equal to. */
function assertionOf(text: string): Readonly<Record<string, unknown>> {
  const program = PROGRAM.exec(text)?.[1];
  if (program !== undefined) return { type: 'javascript', value: program.trim() };
  if (text.startsWith('grade:')) return { type: 'llm-rubric', value: text.slice('grade:'.length) };
  const script = SCRIPT.exec(text)?.[1];
  if (script !== undefined) return { type: 'python', value: script.trim() };
  const [, type, threshold, value] = EXPECTED.exec(text) ?? [];
  if (type === undefined) return { type: 'equals', value: text };
  if (WITH_LIST.test(type)) return { type, value: value?.split(',').map((item) => item.trim()) };
  if (!WITH_THRESHOLD.test(type)) return { type, value: value?.trim() };
  const fallback = type.endsWith('similar') ? 0.8 : 0.75;
  return { type, value: value?.trim(), threshold: threshold === undefined ? fallback : Number(threshold) };
}
