import * as z from 'zod';
import { apiKeySchema } from '../auth.ts';
import { dataOf, nameSchema, pageOf, pageQuerySchema, slugSchema } from '../base/common.ts';
import { defineContract } from '../base/contract.ts';
import { DELETE, READ, WRITE } from '../base/rights.ts';
import { SCOPES } from '../base/scopes.ts';

/** Any point in time in ISO 8601; it is kept in UTC, to the millisecond. */
const instantSchema = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());

export const createApiKey = defineContract('apiKeys/create', 'POST /v1/api-keys', {
  summary: 'Create an API key; it is shown once',
  /** Strict: a key whose scope or project was left out could do more than its maker wanted. */
  body: z.strictObject({
    name: nameSchema,
    /** The slug of the one project it may use; left out: all. */
    project: slugSchema.optional(),
    scope: z.enum(SCOPES).default('full'),
    /** Left out or null: until it is revoked. */
    expires_at: instantSchema.nullable().default(null),
  }),
  reauthentication: 'always',
  example: { name: 'CI', project: 'support-bot', scope: 'run' },
  responses: { 201: dataOf(apiKeySchema.extend({ key: z.string() })) },
  errors: ['NOT_FOUND'],
  /** At the limit a new key replaces an expired one. */
  rights: { table: [...WRITE, 'DeleteItem'] },
});

export const listApiKeys = defineContract('apiKeys/list', 'GET /v1/api-keys', {
  summary: 'The API keys of the organisation, newest first; never the keys themselves',
  query: pageQuerySchema,
  responses: { 200: pageOf(apiKeySchema) },
  errors: ['NOT_FOUND'],
  rights: { table: READ },
});

export const deleteApiKey = defineContract('apiKeys/delete', 'DELETE /v1/api-keys/:keyId', {
  summary: 'Revoke an API key, and every token made with it, at once',
  reauthentication: 'always',
  responses: { 204: null },
  rights: { table: DELETE },
});

export const apiKeyContracts = [listApiKeys, createApiKey, deleteApiKey];
