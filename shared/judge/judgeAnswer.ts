import * as z from 'zod';
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

/** The answer, if the text is exactly one object of the schema. Undefined otherwise. */
export function readJudgeAnswer(content: string, isDualSided: boolean): JudgeAnswer | undefined {
  const value = parseJson(content);
  if (!isDualSided) {
    const { data } = oneSided.safeParse(value);
    return data === undefined || hasDuplicates(content, data) ? undefined : data;
  }
  const { data } = dualSided.safeParse(value);
  if (data === undefined || hasDuplicates(content, data)) return undefined;
  return { ...data, score: f1(data) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `{"score": 0, "score": 1}` holds two scores; a parser keeps the last. */
function hasDuplicates(content: string, flat: object): boolean {
  const strings = content.matchAll(/"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"(\s*:)?|\\?$)/g);
  const names = [...strings].filter(([, colon]) => colon !== undefined);
  return names.length !== Object.keys(flat).length;
}
