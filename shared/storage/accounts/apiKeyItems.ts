import * as z from 'zod';
import { type ApiKey, PLANS } from '../../contracts/auth.ts';
import { timestampSchema, uuidSchema } from '../../contracts/base/common.ts';
import type { Credential } from '../../contracts/base/credentials.ts';
import { SCOPES } from '../../contracts/base/scopes.ts';
import { DAY_MS } from '../../domain/time.ts';
import { putNew, seconds } from '../table/documents.ts';
import { apiKeyKey, apiKeyPointerKey, organisationKey, TTL } from '../table/keys.ts';
import type { Item, Table, Write } from '../table/table.ts';
import type { OrganisationItem } from './organisationItems.ts';

/** An expired key stays in the list for so long, to show why a job fails. */
const SHOWN_DAYS = 30;

/** The first keys hold the organisation's plan, so that authentication takes one read. One transaction moves them all. */
export const KEYS_WITH_PLAN_MAX = 50;

/** Of the pointer to a key. */
export const WITHOUT_PLAN = 'without_plan';

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
const apiKeyFieldsSchema = apiKeyItemSchema.omit({ plan: true, plan_version: true });
type ApiKeyItem = z.output<typeof apiKeyItemSchema>;

/** Undefined where its organisation is gone. A key that holds no plan has what the organisation says now. */
export async function readApiKeyItem(table: Table, item: Item): Promise<ApiKeyItem | undefined> {
  if (item.plan !== undefined) return apiKeyItemSchema.parse(item);
  const organisation = await table.get(organisationKey(String(item.org_id)));
  return organisation && apiKeyItemSchema.parse({ ...organisation, ...item });
}

export function apiKeyOf(item: Item, { created_by }: Item): ApiKey {
  const key = apiKeyFieldsSchema.parse(item);
  return {
    id: key.id,
    name: key.name,
    key_prefix: key.key_prefix,
    project_id: key.project_id,
    scope: key.scope,
    expires_at: key.valid_until ?? null,
    last_used_at: key.last_used_at ?? null,
    created_at: key.created_at,
    created_by: (created_by as Credential | undefined) ?? null,
  };
}

export function putApiKey(
  { id: org_id, plan, plan_version, retained_from }: OrganisationItem,
  { sha256, expires_at, last_used_at: _, created_by, ...key }: ApiKey & { sha256: string },
  holdsPlan = true,
): { apiKey: Write; pointer: Write } {
  const ttl = expires_at === null ? {} : { [TTL]: seconds(expires_at) + (SHOWN_DAYS * DAY_MS) / 1_000 };
  return {
    apiKey: putNew(apiKeyKey(sha256), {
      ...key,
      ...ttl,
      org_id,
      ...(holdsPlan && { plan, plan_version }),
      ...(holdsPlan && retained_from !== undefined && { retained_from }),
      ...(expires_at !== null && { valid_until: expires_at }),
    }),
    pointer: putNew(apiKeyPointerKey(org_id, key.id), {
      sha256,
      name: key.name,
      created_by,
      ...ttl,
      ...(!holdsPlan && { [WITHOUT_PLAN]: true }),
    }),
  };
}
