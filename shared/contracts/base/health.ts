import * as z from 'zod';
import { timestampSchema } from './common.ts';
import { defineContract } from './contract.ts';

const healthSchema = z.object({
  status: z.enum(['ok', 'degraded']),
  version: z.string(),
  timestamp: timestampSchema,
  services: z.object({
    database: z.enum(['connected', 'unavailable']),
    redis: z.literal('not_configured'),
  }),
});

export const getHealth = defineContract('health/get', 'GET /health', {
  summary: 'Whether the service and its table answer',
  access: 'public',
  rateClass: 'none',
  responses: { 200: healthSchema, 503: healthSchema },
  rights: { table: ['GetItem'] },
});
