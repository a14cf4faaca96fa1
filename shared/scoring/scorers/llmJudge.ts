import * as z from 'zod';
import { PROVIDER_VALUES } from '../../contracts/base/providers.ts';
import { once } from '../config.ts';
import type { JudgedScorer } from '../definition.ts';

/** Providers whose `model` names an endpoint and a deployment there. */
const DEPLOYED_PROVIDERS: readonly string[] = ['azure_openai', 'provider_a_cloud'];

const configSchema = once(() =>
  z
    .strictObject({
      rubric: z
        .string()
        .max(32_768)
        .refine((rubric) => rubric.trim() !== '', 'the rubric is empty'),
      model: z
        .string()
        .max(2_048)
        .regex(/^\P{Cc}*$/u, 'must not hold line breaks or other control characters')
        .refine(
          (model) => model.trim() !== '',
          'the model is empty: name one, or leave it out for the default',
        )
        .optional(),
      _provider: z.enum(PROVIDER_VALUES),
      /** The scale that a rubric refers to; the judge sees it as it was written. */
      scale: z.custom<readonly unknown[]>((value) => Array.isArray(value), 'must be an array').optional(),
    })
    .refine((config) => !DEPLOYED_PROVIDERS.includes(config._provider) || isDeployment(config.model), {
      path: ['model'],
      message:
        'must have the form <endpoint_url>|<deployment_name> for this provider, e.g. ' +
        'https://<resource>.openai.azure.com|<deployment_name>',
    }),
);

export const llmJudge: JudgedScorer<z.infer<ReturnType<typeof configSchema>>> = {
  type: 'llm_judge',
  configSchema,
  errors: [],
  repeats: [],
  question: ({ _provider, model, rubric, scale }) => ({ provider: _provider, model, rubric, scale }),
};

function isDeployment(model: string | undefined): boolean {
  if (model === undefined) return true;
  const parts = model.split('|');
  return parts.length === 2 && parts.every((part) => part.trim() !== '');
}
