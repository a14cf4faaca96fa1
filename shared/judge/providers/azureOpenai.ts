import { AzureOpenAI } from 'openai';
import { askByChatCompletion } from './chatCompletions.ts';
import { clientOptions, outputTokensMax, type ProviderAccess, type ProviderClient } from './client.ts';

/** The SDK puts the question's model, the deployment's name, into the path. */
function azureClient(access: ProviderAccess): AzureOpenAI {
  const options = clientOptions(access);
  return new AzureOpenAI({
    ...options,
    defaultHeaders: { 'api-key': options.apiKey, authorization: null },
    apiVersion: access.azureApiVersion,
    adminAPIKey: null,
  });
}

export const azureOpenai: ProviderClient = {
  ask: (access, question) =>
    askByChatCompletion(azureClient(access), question, { max_completion_tokens: outputTokensMax(access) }),
  async listModels(access) {
    await azureClient(access).models.list();
    return [];
  },
};
