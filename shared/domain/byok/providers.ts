import type { ProviderValue } from '../../contracts/base/providers.ts';

/** The provider that is called. Default keys and slots belong to it, under whichever alias it was named. */
export const PROVIDERS = ['openai', 'anthropic', 'google', 'azure_openai'] as const;
export type Provider = (typeof PROVIDERS)[number];

const PROVIDER_OF: Readonly<Record<ProviderValue, Provider>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'google',
  azure_openai: 'azure_openai',
  provider_a: 'openai',
  provider_b: 'anthropic',
  provider_c: 'google',
  provider_a_cloud: 'azure_openai',
};

export const canonicalProvider = (value: ProviderValue): Provider => PROVIDER_OF[value];
