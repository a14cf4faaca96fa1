import { Anthropic } from '@anthropic-ai/sdk';
import * as z from 'zod';
import {
  clientOptions,
  type Ending,
  type ModelAnswer,
  NO_USAGE,
  outputTokensMax,
  type ProviderAccess,
  type ProviderClient,
  type Question,
} from './client.ts';

const messageSchema = z.looseObject({
  model: z.string().nullish().catch(undefined),
  stop_reason: z.string().nullish(),
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
});

const tokens = z.int().min(0).nullish().catch(0);
const usageSchema = z.looseObject({
  usage: z.looseObject({
    input_tokens: tokens,
    cache_creation_input_tokens: tokens,
    cache_read_input_tokens: tokens,
    output_tokens: tokens,
  }),
});

function anthropicClient(access: ProviderAccess): Anthropic {
  return new Anthropic({ ...clientOptions(access), authToken: null, webhookKey: null, openTelemetry: false });
}

export const anthropic: ProviderClient = {
  async ask(access: ProviderAccess, question: Question): Promise<ModelAnswer> {
    const message: unknown = await anthropicClient(access).messages.create({
      model: question.model,
      max_tokens: outputTokensMax(access),
      system: question.prompt.system,
      messages: [{ role: 'user', content: question.prompt.user }],
      ...(question.schema && {
        output_config: { format: { type: 'json_schema' as const, schema: question.schema } },
      }),
    });
    return readMessage(message);
  },
  async listModels(access) {
    await anthropicClient(access).models.list({ limit: 1 });
    return [];
  },
};

function readMessage(raw: unknown): ModelAnswer {
  const { data: message } = messageSchema.safeParse(raw);
  const blocks = (message?.content ?? []).filter(
    ({ type }) => type !== 'thinking' && type !== 'redacted_thinking',
  );
  const [block] = blocks;
  const isOneText = blocks.length === 1 && block?.type === 'text';
  const finishReason = message?.stop_reason ?? undefined;
  return {
    ending: message === undefined ? 'foreign' : (ENDINGS.get(finishReason) ?? 'other'),
    finishReason,
    content: isOneText ? block.text : undefined,
    model: message?.model ?? undefined,
    usage: readUsage(raw),
    raw,
  };
}

const ENDINGS: ReadonlyMap<string | undefined, Ending> = new Map([
  ['end_turn', 'complete'],
  ['refusal', 'refused'],
  ['max_tokens', 'truncated'],
  ['model_context_window_exceeded', 'context_full'],
]);

/** This provider counts tokens of the cache apart; they are input, too. */
function readUsage(raw: unknown): ModelAnswer['usage'] {
  const reported = usageSchema.safeParse(raw).data?.usage;
  if (reported === undefined) return NO_USAGE;
  const input = [
    reported.input_tokens,
    reported.cache_creation_input_tokens,
    reported.cache_read_input_tokens,
  ];
  return {
    input_tokens: input.reduce<number>((sum, count) => sum + (count ?? 0), 0),
    output_tokens: reported.output_tokens ?? 0,
  };
}
