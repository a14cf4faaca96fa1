import * as z from 'zod';
import { described } from '../../contracts/base/fields.ts';
import { DEPLOYED_PROVIDERS, PROVIDER_NAMES, PROVIDER_VALUES } from '../../contracts/base/providers.ts';
import { once } from '../kit/config.ts';
import type { JudgedScorer, ScaleLevel } from '../kit/definition.ts';
import { JUDGE_ERRORS } from '../kit/judgeErrors.ts';
import { readingField } from '../kit/reading/fields.ts';
import { clip } from '../kit/text.ts';

const configSchema = once(() =>
  described(
    z
      .strictObject({
        rubric: described(
          z
            .string()
            .max(32_768)
            .refine((rubric) => rubric.trim() !== '', 'the rubric is empty'),
          { label: 'Rubric', widget: 'area' },
        ),
        _provider: described(z.enum(PROVIDER_VALUES), { label: 'Provider', options: PROVIDER_NAMES }),
        model: described(
          z
            .string()
            .max(2_048)
            .regex(/^\P{Cc}*$/u, 'must not hold line breaks or other control characters')
            .refine(
              (model) => model.trim() !== '',
              'the model is empty: name one, or leave it out for the default',
            )
            .optional(),
          { label: 'Model', hint: 'Left empty: the default of this service.' },
        ),
        /** The levels that a rubric refers to; the judge sees each as it was written. */
        scale: described(
          z
            .custom<readonly ScaleLevel[]>((value) => Array.isArray(value), 'must be an array')
            .superRefine((scale, context) => {
              const message = faultOfScale(scale);
              if (message !== undefined) context.addIssue({ code: 'custom', message });
            })
            .optional(),
          {
            label: 'Scale',
            hint: 'The scores that the rubric refers to, such as [0, 0.5, 1].',
            widget: 'json',
            isFurther: true,
          },
        ),
        votes: described(z.literal([1, 3, 5]).optional(), {
          label: 'Votes',
          hint: '1, 3 or 5: next to the threshold, most of so many decide.',
          absent: 1,
          isFurther: true,
        }),
        ...readingField(),
      })
      .refine((config) => !DEPLOYED_PROVIDERS.includes(config._provider) || isDeployment(config.model), {
        path: ['model'],
        message:
          'must have the form <endpoint_url>|<deployment_name> for this provider, e.g. ' +
          'https://<resource>.openai.azure.com|<deployment_name>',
      }),
    {
      label: 'Judge',
      hint: 'A language model judges the output by a rubric, with your key of its provider.',
    },
  ),
);

export const llmJudge: JudgedScorer<z.infer<ReturnType<typeof configSchema>>> = {
  type: 'llm_judge',
  configSchema,
  errors: JUDGE_ERRORS,
  question: ({ _provider, model, rubric, scale, votes = 1, ignore_reasoning = false }) => ({
    provider: _provider,
    model,
    rubric,
    scale,
    votes,
    ignoresReasoning: ignore_reasoning,
  }),
};

const LEVEL_SHOWN_LENGTH = 60;

function isDeployment(model: string | undefined): boolean {
  if (model === undefined) return true;
  const parts = model.split('|');
  return parts.length === 2 && parts.every((part) => part.trim() !== '');
}

/**
 * A judge's score is compared with a threshold from 0 to 1. Another span is not converted: whether its greatest number is
 * the best level or the worst one, only its author knows.
 */
function faultOfScale(scale: readonly unknown[]): string | undefined {
  const scores = scale.map(scoreOf);
  const place = scores.findIndex((score) => score === undefined || score < 0 || score > 1);
  if (place !== -1) return faultOfLevel(place, scores[place], scale[place]);
  if (scale.length === 0 || new Set(scores).size > 1) return undefined;
  return `has no level but ${scores[0]}, which every output would get: name two or more, or leave it out`;
}

function scoreOf(level: unknown): number | undefined {
  const isObject = typeof level === 'object' && level !== null;
  const score = isObject && 'score' in level ? level.score : level;
  return typeof score === 'number' ? score : undefined;
}

function faultOfLevel(place: number, score: number | undefined, level: unknown): string {
  if (score === undefined) {
    const form = 'a number from 0 to 1, or {"score": 0.5, "label": "…", "description": "…"}';
    const shown = clip(JSON.stringify(level ?? null), LEVEL_SHOWN_LENGTH).toWellFormed();
    return `must give each level its score: item ${place}, ${shown}, has none; write ${form}`;
  }
  const instead =
    'write 1 to 5 as 0, 0.25, 0.5, 0.75 and 1, the best level last, with its number in the label';
  return `must have scores from 0 to 1, like thresholds, and item ${place} has ${score}: ${instead}`;
}
