import { OpenAI } from 'openai';
import { askByChatCompletion } from './chatCompletions.ts';
import { clientOptions, type ProviderAccess, type ProviderClient } from './client.ts';

/** What the environment holds of other accounts stays out: null keeps the SDK from reading it. */
export function openaiClient(access: ProviderAccess): OpenAI {
  return new OpenAI({ ...clientOptions(access), adminAPIKey: null, organization: null, project: null });
}

export const openai: ProviderClient = {
  ask: (access, question) => askByChatCompletion(openaiClient(access), question),
  listModels: async (access) => void (await openaiClient(access).models.list()),
};
