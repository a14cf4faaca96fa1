import type { Provider, ProviderValue } from '../../contracts/base/providers.ts';

export { PROVIDERS, type Provider } from '../../contracts/base/providers.ts';

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
