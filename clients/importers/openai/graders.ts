import { isRecord } from '../../files/read/parts.ts';
import { escaped } from '../imports/escaped.ts';
import { judgeOf } from '../imports/judges.ts';
import type { Fields, Judge, Scorer } from '../imports/types.ts';
import { isAnswer, rendered } from './templates.ts';

export type Mapped =
  | {
      readonly scorer: Scorer;
      readonly expected?: unknown;
      readonly threshold?: number;
      readonly differences?: readonly string[];
    }
  | { readonly why: string };

type Mapping = (grader: Fields, item: Fields, judge: Judge | undefined) => Mapped;

const NO_ANSWER = { why: 'does not compare {{sample.output_text}} alone' };

/** What a grader compares the answer with. */
function referenceOf(
  { input, reference }: Fields,
  item: Fields,
): { readonly text: string } | { readonly why: string } {
  if (!isAnswer(input) || typeof reference !== 'string') return NO_ANSWER;
  return rendered(reference, item);
}

const LIKE = 'like and ilike are taken for: the answer holds the reference';

const stringCheck: Mapping = (grader, item) => {
  const reference = referenceOf(grader, item);
  if ('why' in reference) return reference;
  const { text } = reference;
  if (text === '') return { why: 'compares with an empty text' };
  switch (grader.operation) {
    case 'eq':
      return { scorer: { type: 'exact_match', config: {} }, expected: text };
    case 'ne':
      return { scorer: { type: 'regex', config: { pattern: `^${escaped(text)}$`, should_match: false } } };
    case 'like':
      return { scorer: { type: 'contains', config: { values: [text] } }, differences: [LIKE] };
    case 'ilike':
      return {
        scorer: { type: 'contains', config: { values: [text], case_sensitive: false } },
        differences: [LIKE],
      };
    default:
      return { why: `the operation ${String(grader.operation).slice(0, 60)}` };
  }
};

const OTHER_FIGURE =
  'the share is another one: there by its library, here as docs/scorers.md states of similarity';
/** A like that no text reaches more easily. Blanks and case count where the library says nothing of them. */
const METRICS: ReadonlyMap<string, Fields> = new Map([
  ['fuzzy_match', { metric: 'levenshtein', normalize_whitespace: false }],
  ['rouge_l', { metric: 'rouge_l', case_sensitive: false }],
  ['rouge_1', { metric: 'rouge_l', case_sensitive: false }],
]);

const textSimilarity: Mapping = (grader, item) => {
  const name = String(grader.evaluation_metric);
  const config = METRICS.get(name);
  if (config === undefined) return { why: `the metric ${name.slice(0, 60)}` };
  if (typeof grader.pass_threshold !== 'number') return { why: 'has no pass_threshold' };
  const reference = referenceOf(grader, item);
  if ('why' in reference) return reference;
  return {
    scorer: { type: 'similarity', config },
    expected: reference.text,
    threshold: grader.pass_threshold,
    differences: [OTHER_FIGURE],
  };
};

const ANSWER = '(the output that is judged)';
const OTHER_PROMPT = 'the judge gets another prompt, of which the messages are the rubric';

/** Messages of a grader as one rubric. */
function rubricOf(input: unknown, item: Fields): { readonly text: string } | { readonly why: string } {
  const parts: string[] = [];
  for (const message of Array.isArray(input) ? (input as readonly unknown[]) : []) {
    const content = isRecord(message) ? contentOf(message.content) : undefined;
    if (content === undefined) return { why: 'has a message that is no text' };
    const text = rendered(content, item, ANSWER);
    if ('why' in text) return text;
    parts.push(text.text);
  }
  return parts.length === 0 ? { why: 'has no messages' } : { text: parts.join('\n\n') };
}

function contentOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  return isRecord(content) && typeof content.text === 'string' ? content.text : undefined;
}

function judged(grader: Fields, item: Fields, fallback: Judge | undefined, config: Fields): Mapped {
  const rubric = rubricOf(grader.input, item);
  if ('why' in rubric) return rubric;
  const provider = typeof grader.model === 'string' ? `openai:${grader.model}` : undefined;
  const judge = judgeOf({ provider, fallback });
  if ('why' in judge) return judge;
  const { provider: _provider, model } = judge.judge;
  return {
    scorer: {
      type: 'llm_judge',
      config: { _provider, ...(model === undefined ? {} : { model }), rubric: rubric.text, ...config },
    },
    differences: [OTHER_PROMPT, ...judge.differences],
  };
}

const scoreModel: Mapping = (grader, item, judge) => {
  const [from, to] = Array.isArray(grader.range) ? (grader.range as readonly unknown[]) : [0, 1];
  const { pass_threshold } = grader;
  if (typeof from !== 'number' || typeof to !== 'number' || to <= from)
    return { why: 'has a range that is none' };
  if (typeof pass_threshold !== 'number') return { why: 'has no pass_threshold' };
  const mapped = judged(grader, item, judge, {});
  if ('why' in mapped) return mapped;
  const isOther = from !== 0 || to !== 1;
  const differences = isOther
    ? [`its scores from ${from} to ${to} are requested as 0 to 1: change the rubric if it names them`]
    : [];
  return {
    ...mapped,
    threshold: (pass_threshold - from) / (to - from),
    differences: [...(mapped.differences ?? []), ...differences],
  };
};

const labelModel: Mapping = (grader, item, judge) => {
  const textsIn = (value: unknown) =>
    Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  const [labels, passing] = [textsIn(grader.labels), new Set(textsIn(grader.passing_labels))];
  if (!labels.some((label) => passing.has(label)) || labels.every((label) => passing.has(label)))
    return { why: 'has no labels of which some pass and some do not' };
  const scale = labels.map((label) => ({ score: passing.has(label) ? 1 : 0, label }));
  return judged(grader, item, judge, { scale });
};

const PROGRAM: Mapping = () => ({ why: 'is a program, which is not run' });

const GRADERS: ReadonlyMap<string, Mapping> = new Map([
  ['string_check', stringCheck],
  ['text_similarity', textSimilarity],
  ['score_model', scoreModel],
  ['label_model', labelModel],
  ['python', PROGRAM],
]);

/** The like of a grader for an item. */
export function mappedGrader(grader: Fields, item: Fields, judge: Judge | undefined): Mapped {
  const type = String(grader.type);
  const mapping = GRADERS.get(type);
  return mapping === undefined ? { why: `the type ${type.slice(0, 60)}` } : mapping(grader, item, judge);
}
