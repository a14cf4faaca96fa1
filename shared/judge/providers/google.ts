import type { ProviderClient } from './client.ts';
import { openai } from './openai.ts';

/** Gemini through Google's OpenAI-compatible endpoint: the base URL is all that differs. */
export const google: ProviderClient = openai;
