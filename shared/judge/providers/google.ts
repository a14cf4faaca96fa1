import { askByChatCompletion } from './chatCompletions.ts';
import { outputTokensMax, type ProviderClient } from './client.ts';
import { openai, openaiClient } from './openai.ts';

/** Gemini through Google's OpenAI-compatible endpoint: base URL and name of the limit are all that differ. */
export const google: ProviderClient = {
  ...openai,
  ask: (access, question) =>
    askByChatCompletion(openaiClient(access), question, { max_tokens: outputTokensMax(access) }),
};
