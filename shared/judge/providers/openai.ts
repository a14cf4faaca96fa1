import { OpenAI } from 'openai';
import { askByChatCompletion } from './chatCompletions.ts';
import { clientOptions, outputTokensMax, type ProviderAccess, type ProviderClient } from './client.ts';

/** null keeps the SDK from reading a key of the operator's out of the environment. */
export function openaiClient(access: ProviderAccess): OpenAI {
  return new OpenAI({ ...clientOptions(access), adminAPIKey: null });
}

export const openai: ProviderClient = {
  ask: (access, question) =>
    askByChatCompletion(openaiClient(access), question, { max_completion_tokens: outputTokensMax(access) }),
  listModels: async (access) => void (await openaiClient(access).models.list()),
};
