import * as z from 'zod';
import type { Provider } from '../domain/byok/providers.ts';

export type DefaultModels = Readonly<Record<Provider, string | undefined>>;

export const modelVariables = {
  JUDGE_MODEL_OPENAI: z.string().default('gpt-5.4-mini'),
  JUDGE_MODEL_ANTHROPIC: z.string().default('claude-sonnet-5-5'),
  JUDGE_MODEL_GOOGLE: z.string().default('gemini-3.8-flash'),
  JUDGE_MODEL_AZURE_OPENAI: z.string().optional(),
};

const modelVariablesSchema = z.object(modelVariables);

export const defaultModelsOf = (env: z.output<typeof modelVariablesSchema>): DefaultModels => ({
  openai: env.JUDGE_MODEL_OPENAI,
  anthropic: env.JUDGE_MODEL_ANTHROPIC,
  google: env.JUDGE_MODEL_GOOGLE,
  azure_openai: env.JUDGE_MODEL_AZURE_OPENAI,
});

type Environment = Readonly<Record<string, string | undefined>>;

/** A blank variable counts as not set. */
export const setVariables = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => (value ?? '').trim() !== ''));

/** For functions that name a judge and call none. */
export const defaultModelsFromEnv = (env: Environment): { readonly defaultModels: DefaultModels } => ({
  defaultModels: defaultModelsOf(modelVariablesSchema.parse(setVariables(env))),
});

/** The model that a scorer names, or else the deployment's default. Undefined without either. */
export function modelOf(
  provider: Provider,
  named: string | undefined,
  { defaultModels }: { readonly defaultModels: DefaultModels },
): string | undefined {
  const chosen = (named ?? defaultModels[provider] ?? '').trim();
  return chosen === '' ? undefined : chosen;
}
