import * as z from 'zod';
import { dataOf, shareSchema, storedObjectSchema, uuidSchema } from './base/common.ts';
import { defineContract } from './base/contract.ts';
import { SCORER_TYPES } from './base/scorerTypes.ts';

export const templateSchema = z.object({
  id: uuidSchema,
  name: z.string(),
  slug: z.string(),
  description: z.string(),
  category: z.string(),
  sort_order: z.int(),
  cases: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      scorer_type: z.enum(SCORER_TYPES),
      scorer_config: storedObjectSchema,
      threshold: shareSchema,
      /** Only of a case that has to pass. */
      must_pass: z.boolean().optional(),
    }),
  ),
});
export type Template = z.infer<typeof templateSchema>;

export const listTemplates = defineContract('templates/list', 'GET /v1/templates', {
  summary: 'The built-in suite templates',
  access: 'public',
  responses: { 200: dataOf(z.array(templateSchema)) },
});

export const getTemplate = defineContract('templates/get', 'GET /v1/templates/:slug', {
  summary: 'One template',
  access: 'public',
  responses: { 200: dataOf(templateSchema) },
});

export const templateContracts = [listTemplates, getTemplate];
