import { OpenAI } from 'openai';
import { askByChatCompletion } from './chatCompletions.ts';
import { clientOptions, outputTokensMax, type ProviderAccess, type ProviderClient } from './client.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** null keeps the SDK from reading a key of the operator's out of the environment. */
export function openaiClient(access: ProviderAccess): OpenAI {
  return new OpenAI({ ...clientOptions(access), adminAPIKey: null });
}

export const openai: ProviderClient = {
  ask: (access, question) =>
    askByChatCompletion(openaiClient(access), question, { max_completion_tokens: outputTokensMax(access) }),
  async listModels(access) {
    const { data } = await openaiClient(access).models.list();
    // A key is known by any list, whatever the list has.
    const models: readonly unknown[] = Array.isArray(data) ? data : [];
    return models.map((model) => {
      const { id, shutdown_date: day } = Object(model) as {
        readonly id: unknown;
        readonly shutdown_date: unknown;
      };
      return { id: String(id), shutdownDate: typeof day === 'string' && DAY.test(day) ? day : undefined };
    });
  },
};
