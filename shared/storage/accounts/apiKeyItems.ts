import * as z from 'zod';
import { type ApiKey, PLANS } from '../../contracts/auth.ts';
import { timestampSchema, uuidSchema } from '../../contracts/base/common.ts';
import { SCOPES } from '../../contracts/base/scopes.ts';
import { DAY_MS } from '../../domain/time.ts';
import { putNew, seconds } from '../table/documents.ts';
import { apiKeyKey, apiKeyPointerKey, TTL } from '../table/keys.ts';
import type { Item, Write } from '../table/table.ts';
import type { OrganisationItem } from './organisationItems.ts';

/** An expired key stays in the list for so long, to show why a job fails. */
const SHOWN_DAYS = 30;

/** Every key's item holds the organisation's plan, so that authentication takes one read. */
const apiKeyItemSchema = z.object({
  id: uuidSchema,
  org_id: uuidSchema,
  name: z.string(),
  key_prefix: z.string(),
  project_id: uuidSchema.nullable(),
  scope: z.enum(SCOPES),
  /** The key's expiry; the item's time to live ends later. */
  valid_until: timestampSchema.optional(),
  last_used_at: timestampSchema.optional(),
  created_at: timestampSchema,
  plan: z.enum(PLANS),
  plan_version: z.int(),
  retained_from: timestampSchema.optional(),
  /** As of its organisation. */
  deletes_at: timestampSchema.optional(),
});
export type ApiKeyItem = z.output<typeof apiKeyItemSchema>;

export const readApiKeyItem = (item: Item): ApiKeyItem => apiKeyItemSchema.parse(item);

export const apiKeyOf = (item: ApiKeyItem): ApiKey => ({
  id: item.id,
  name: item.name,
  key_prefix: item.key_prefix,
  project_id: item.project_id,
  scope: item.scope,
  expires_at: item.valid_until ?? null,
  last_used_at: item.last_used_at ?? null,
  created_at: item.created_at,
});

export function putApiKey(
  { id: org_id, plan, plan_version, retained_from }: OrganisationItem,
  { sha256, expires_at, last_used_at: _, ...key }: ApiKey & { sha256: string },
): { apiKey: Write; pointer: Write } {
  const ttl = expires_at === null ? {} : { [TTL]: seconds(expires_at) + (SHOWN_DAYS * DAY_MS) / 1_000 };
  return {
    apiKey: putNew(apiKeyKey(sha256), {
      ...key,
      ...ttl,
      org_id,
      plan,
      plan_version,
      ...(retained_from !== undefined && { retained_from }),
      ...(expires_at !== null && { valid_until: expires_at }),
    }),
    pointer: putNew(apiKeyPointerKey(org_id, key.id), { sha256, name: key.name, ...ttl }),
  };
}
