import type { OpenAI } from 'openai';
import * as z from 'zod';
import { type Ending, type ModelAnswer, NO_USAGE, type Question } from './client.ts';

const choiceSchema = z.looseObject({
  finish_reason: z.string().nullish(),
  /** A filtered choice may come without it. */
  message: z.looseObject({ content: z.string().nullish(), refusal: z.string().nullish() }).nullish(),
});
const completionSchema = z
  .looseObject({
    object: z.unknown().optional(),
    model: z.string().nullish().catch(undefined),
    choices: z.array(choiceSchema).nullish(),
  })
  .refine(({ object, choices }) => Array.isArray(choices) || object === 'chat.completion');

const usageSchema = z.looseObject({
  usage: z.looseObject({
    prompt_tokens: z.int().min(0).catch(0),
    completion_tokens: z.int().min(0).catch(0),
  }),
});

/** OpenAI's reasoning models take only the first; Google takes the other. */
type Limit = { readonly max_completion_tokens: number } | { readonly max_tokens: number };

/** OpenAI, Azure and Google speak this, each at its own address with its own header for the key. */
export async function askByChatCompletion(
  client: OpenAI,
  question: Question,
  limit: Limit,
): Promise<ModelAnswer> {
  const completion: unknown = await client.chat.completions.create({
    model: question.model,
    ...limit,
    messages: [
      { role: 'system', content: question.prompt.system },
      { role: 'user', content: question.prompt.user },
    ],
    ...(question.schema && { response_format: strictly(question.schema) }),
  });
  return readCompletion(completion);
}

const strictly = (schema: Record<string, unknown>) =>
  ({ type: 'json_schema', json_schema: { name: 'verdict', strict: true, schema } }) as const;

function readCompletion(raw: unknown): ModelAnswer {
  const reported = usageSchema.safeParse(raw).data?.usage;
  const usage =
    reported === undefined
      ? NO_USAGE
      : { input_tokens: reported.prompt_tokens, output_tokens: reported.completion_tokens };
  const { data } = completionSchema.safeParse(raw);
  const choices = data?.choices ?? [];
  const [choice] = choices;
  const { content, refusal } = choice?.message ?? {};
  return {
    ending: data === undefined ? 'foreign' : endingOf(choice),
    finishReason: choice?.finish_reason ?? undefined,
    content: choices.length > 1 ? undefined : content || refusal || undefined,
    model: data?.model ?? undefined,
    usage,
    raw,
  };
}

/** Google appends the filter's name to `content_filter`, or names it alone. */
const FILTERED = /^(?:content_filter|safety|recitation|blocklist|prohibited_content|spii)/i;

/** A filter of the provider may leave no choice at all. */
function endingOf(choice: z.infer<typeof choiceSchema> | undefined): Ending {
  const finishReason = choice?.finish_reason ?? '';
  if (choice === undefined || choice.message?.refusal || FILTERED.test(finishReason)) return 'refused';
  if (/^(?:length|max_tokens)$/i.test(finishReason)) return 'truncated';
  return finishReason === 'stop' ? 'complete' : 'other';
}
