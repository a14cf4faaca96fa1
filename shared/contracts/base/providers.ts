/** The provider that is called. Default keys and slots belong to it, under whichever alias it was named. */
export const PROVIDERS = ['openai', 'anthropic', 'google', 'azure_openai'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** Providers of judging models, each by its own name and by a neutral one that means the same. */
export const PROVIDER_VALUES = [
  ...PROVIDERS,
  'provider_a',
  'provider_b',
  'provider_c',
  'provider_a_cloud',
] as const;
export type ProviderValue = (typeof PROVIDER_VALUES)[number];

/** Those whose `model` names an endpoint and a deployment there. */
export const DEPLOYED_PROVIDERS: readonly string[] = [
  'azure_openai',
  'provider_a_cloud',
] satisfies readonly ProviderValue[];

/** Those that forms offer, by their own names. */
export const PROVIDER_NAMES = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  azure_openai: 'Azure OpenAI',
} as const satisfies { readonly [Provider in ProviderValue]?: string };

/** In the place of a provider of models, where a secret is sealed: that of an organisation's sign-in. */
export const SIGN_IN_SECRET = 'sign_in';
