import type { ProviderValue } from '../../contracts/base/providers.ts';

/** Who is really called: defaults, slots and resolution go by it, whichever name was sent. */
export type Provider = 'openai' | 'anthropic' | 'google' | 'azure_openai';

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
