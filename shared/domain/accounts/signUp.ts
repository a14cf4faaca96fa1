import type { ApiKey, Organisation, PlanId } from '../../contracts/auth.ts';
import type { Ambient } from '../ports.ts';
import { timestamp } from '../time.ts';
import { newApiKey, sha256OfKey, shownPrefix } from './apiKey.ts';
import type { AccountMaker } from './ports.ts';

interface NewOrganisation {
  readonly name: string;
  readonly plan: PlanId;
  /** The organisation's log then begins with this. */
  readonly isByOperator?: boolean;
}

/** A new organisation with its first key. Only this answer holds the key. */
export async function signUp(
  { accounts, now, newId }: Ambient & { accounts: AccountMaker },
  { name, plan, isByOperator = false }: NewOrganisation,
): Promise<{ organisation: Organisation; api_key: ApiKey & { key: string } }> {
  const createdAt = timestamp(now());
  const key = newApiKey();
  const organisation: Organisation = {
    id: newId(),
    name,
    plan,
    created_at: createdAt,
    updated_at: createdAt,
  };
  const apiKey: ApiKey = {
    id: newId(),
    name: 'first key',
    key_prefix: shownPrefix(key),
    project_id: null,
    scope: 'full',
    expires_at: null,
    last_used_at: null,
    created_at: createdAt,
    created_by: null,
  };
  const target = { type: 'organisation', id: organisation.id, name } as const;
  const changes = { plan: { from: null, to: plan } };
  await accounts.create(
    organisation,
    { ...apiKey, sha256: sha256OfKey(key) },
    isByOperator
      ? { projectId: null, action: 'created', target, changes, at: createdAt, by: null }
      : undefined,
  );
  return { organisation, api_key: { ...apiKey, key } };
}
