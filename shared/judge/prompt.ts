import * as z from 'zod';
import type { JudgeLevel, JudgeRequest } from '../domain/evaluation/judging/ports.ts';
import { DUAL_SIDED, NO_SCALE, ONE_SIDED, PLAIN, SECTION, SYSTEM, USER } from './prompts/verdict.ts';
import { asData } from './text.ts';

export interface Prompt {
  readonly system: string;
  readonly user: string;
}

/** 128 bits take at least 22 characters of this alphabet. */
const DELIMITER = /^[A-Za-z0-9_-]{22,128}$/;

const levelSchema = z.strictObject({
  score: z.number(),
  label: z.string().optional(),
  description: z.string().optional(),
});

export type AnswerForm = 'by_schema' | 'plain';

type Asked = Pick<JudgeRequest, 'rubric' | 'scale' | 'dualSided'>;
type Texts = Readonly<Record<'run_input' | 'case_input' | 'expected' | 'output', string>>;

export const renderPrompt = (
  request: Asked & Pick<JudgeRequest, 'candidate' | 'caseInput' | 'expected'>,
  delimiter: string,
  form: AnswerForm = 'by_schema',
): Prompt =>
  renderTexts(
    request,
    {
      run_input: JSON.stringify(request.candidate.input),
      case_input: JSON.stringify(request.caseInput),
      expected: shown(request.expected),
      output: request.candidate.output,
    },
    { delimiter, form },
  );

/** The delimiter is removed from everything that users wrote, the rubric included. */
export function renderTexts(
  { rubric, scale, dualSided }: Asked,
  texts: Texts,
  { delimiter, form }: { readonly delimiter: string; readonly form: AnswerForm },
): Prompt {
  if (!DELIMITER.test(delimiter))
    throw new Error('A delimiter needs 128 random bits in A-Z, a-z, 0-9, _ and -.');
  const data = (text: string) => asData(text, delimiter);
  const rendered = Object.entries(texts).map(([name, text]) =>
    fill(SECTION, { name, delimiter, data: data(text) }),
  );
  const { figures, verdict } = dualSided ? DUAL_SIDED : ONE_SIDED;
  return {
    system: fill(SYSTEM, {
      figures,
      verdict: form === 'plain' ? `${verdict}\n\n${PLAIN}` : verdict,
      delimiter,
      rubric: data(rubric),
      scale: data(scaleText(scale)),
    }),
    user: fill(USER, { sections: rendered.join('\n\n') }),
  };
}

/** One pass over the template: filled-in text is not searched for placeholders. */
function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (place, name: string) => values[name] ?? place);
}

export const NOTHING_EXPECTED = '(none)';

function shown(expected: unknown): string {
  if (expected === undefined || expected === null) return NOTHING_EXPECTED;
  return typeof expected === 'string' ? expected : JSON.stringify(expected);
}

function scaleText(scale: readonly JudgeLevel[] | undefined): string {
  if (scale === undefined || scale.length === 0) return NO_SCALE;
  return scale.map(levelText).join('\n');
}

function levelText(level: JudgeLevel): string {
  const parsed = levelSchema.safeParse(level);
  if (!parsed.success) return `- ${JSON.stringify(level)}`;
  const { score, label, description } = parsed.data;
  return `- ${score}${label === undefined ? '' : ` (${label})`}${description === undefined ? '' : `: ${description}`}`;
}
