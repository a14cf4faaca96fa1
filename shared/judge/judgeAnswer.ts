import * as z from 'zod';
import { firstRepeatedName } from '../contracts/json/repeatedNames.ts';
import { f1 } from '../scoring/compare/precisionRecall.ts';
import { DESCRIPTIONS } from './prompts/verdict.ts';

const reasoning = z.string().refine((text) => text.trim() !== '');
const share = z.number().min(0).max(1);

const oneSided = z.strictObject({ reasoning, score: share });
const dualSided = z.strictObject({ reasoning, precision: share, recall: share });

export interface JudgeAnswer {
  readonly reasoning: string;
  readonly score: number;
  readonly precision?: number;
  readonly recall?: number;
}

/** As far as all four providers support it; bounds are checked here. Models write the reasoning first. */
export function judgeAnswerSchema(isDualSided: boolean): Record<string, unknown> {
  const number = (name: 'score' | 'precision' | 'recall') => ({
    [name]: { type: 'number', description: DESCRIPTIONS[name] },
  });
  const figures = isDualSided ? { ...number('precision'), ...number('recall') } : number('score');
  return {
    type: 'object',
    properties: { reasoning: { type: 'string', description: DESCRIPTIONS.reasoning }, ...figures },
    required: ['reasoning', ...Object.keys(figures)],
    additionalProperties: false,
  };
}

/** How a verdict has to be: of which figures, and with a score that is one of the levels, where there are any. */
export interface VerdictForm {
  readonly isDualSided: boolean;
  readonly levels: readonly number[];
}

/** The verdict, if the text is exactly one object of the schema. Else why it is none. */
export function readJudgeAnswer(text: string, form: VerdictForm): JudgeAnswer | string {
  const verdict = parseJson(withoutWrapping(text));
  const { data } = (form.isDualSided ? dualSided : oneSided).safeParse(verdict);
  if (data === undefined) return 'is not exactly one verdict object';
  if ('precision' in data) return { ...data, score: f1(data) };
  const { levels } = form;
  if (levels.length > 0 && !levels.includes(data.score))
    return `gives the score ${data.score}, which is no level of the scale (${levels.join(', ')})`;
  return data;
}

/**
 * Without what models put around a verdict although it is not asked for, each once and in this order: a byte order mark,
 * what they thought, a code fence. What is left has to be the verdict alone.
 */
function withoutWrapping(text: string): string {
  return withoutFence(withoutThoughts(withoutSpace(text.startsWith('\uFEFF') ? text.slice(1) : text)));
}

/** Up to the first end: what stands between it and a second one is text beside the verdict. */
function withoutThoughts(text: string): string {
  const [start, end] = ['<think>', '</think>'];
  const endsAt = text.startsWith(start) ? text.indexOf(end) : -1;
  return endsAt === -1 ? text : withoutSpace(text.slice(endsAt + end.length));
}

/** A fence of lines of their own. */
function withoutFence(text: string): string {
  const [opening = '', fence = ''] = /^(`{3,}|~{3,})[ \t]?\w*[ \t]*\r?\n/.exec(text) ?? [];
  return fence !== '' && text.endsWith(`\n${fence}`) ? text.slice(opening.length, -fence.length) : text;
}

/** JSON's white space only. */
function withoutSpace(text: string): string {
  const isSpace = (index: number) => ' \t\r\n'.includes(text[index] ?? '-');
  let [start, end] = [0, text.length];
  while (isSpace(start)) start++;
  while (end > start && isSpace(end - 1)) end--;
  return text.slice(start, end);
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // `{"score": 0, "score": 1}` holds two scores.
    return firstRepeatedName(text, value) === undefined ? value : undefined;
  } catch {
    return undefined;
  }
}
