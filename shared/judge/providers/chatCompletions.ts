import type { OpenAI } from 'openai';
import * as z from 'zod';
import { type ModelAnswer, NO_USAGE, type Question } from './client.ts';

const completionSchema = z.looseObject({
  choices: z.array(
    z.looseObject({
      finish_reason: z.string().nullish(),
      message: z.looseObject({ content: z.string().nullish(), refusal: z.string().nullish() }),
    }),
  ),
});

const usageSchema = z.looseObject({
  usage: z.looseObject({
    prompt_tokens: z.int().min(0).catch(0),
    completion_tokens: z.int().min(0).catch(0),
  }),
});

/** OpenAI, Azure and Google speak this, each at its own address with its own header for the key. */
export async function askByChatCompletion(client: OpenAI, question: Question): Promise<ModelAnswer> {
  const completion: unknown = await client.chat.completions.create({
    model: question.model,
    messages: [
      { role: 'system', content: question.prompt.system },
      { role: 'user', content: question.prompt.user },
    ],
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'verdict', strict: true, schema: question.schema },
    },
  });
  return readCompletion(completion);
}

function readCompletion(raw: unknown): ModelAnswer {
  const said = usageSchema.safeParse(raw).data?.usage;
  const usage =
    said === undefined
      ? NO_USAGE
      : { input_tokens: said.prompt_tokens, output_tokens: said.completion_tokens };
  const choices = completionSchema.safeParse(raw).data?.choices ?? [];
  const [choice] = choices;
  if (choice === undefined || choices.length > 1) return { ending: 'cut', content: undefined, usage, raw };
  const content = choice.message.content ?? undefined;
  return { ending: endingOf(choice.finish_reason ?? '', choice.message.refusal ?? ''), content, usage, raw };
}

/** Google appends the filter's name to `content_filter`. */
function endingOf(finishReason: string, refusal: string): ModelAnswer['ending'] {
  if (refusal !== '' || finishReason.startsWith('content_filter')) return 'refused';
  return finishReason === 'stop' ? 'complete' : 'cut';
}
