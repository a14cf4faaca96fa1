/** Providers of judging models, each by its own name and by a neutral one that means the same. */
export const PROVIDER_VALUES = [
  'openai',
  'anthropic',
  'google',
  'azure_openai',
  'provider_a',
  'provider_b',
  'provider_c',
  'provider_a_cloud',
] as const;
export type ProviderValue = (typeof PROVIDER_VALUES)[number];
