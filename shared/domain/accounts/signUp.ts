import type { ApiKey, Organisation } from '../../contracts/auth.ts';
import type { Ambient } from '../ports.ts';
import { timestamp } from '../time.ts';
import { newApiKey, sha256OfKey, shownPrefix } from './apiKey.ts';
import type { AccountStore } from './ports.ts';

/** A new organisation on the Free plan, with its first key. Only this answer holds the key. */
export async function signUp(
  { accounts, now, newId }: Ambient & { accounts: AccountStore },
  { name }: { name: string },
): Promise<{ organisation: Organisation; api_key: ApiKey & { key: string } }> {
  const at = timestamp(now());
  const key = newApiKey();
  const organisation: Organisation = { id: newId(), name, plan: 'free', created_at: at, updated_at: at };
  const apiKey: ApiKey = {
    id: newId(),
    name: 'first key',
    key_prefix: shownPrefix(key),
    project_id: null,
    scope: 'full',
    expires_at: null,
    last_used_at: null,
    created_at: at,
  };
  await accounts.create(organisation, { ...apiKey, sha256: sha256OfKey(key) });
  return { organisation, api_key: { ...apiKey, key } };
}
