import type { Organisation } from './fixtures.ts';
import type { Scene } from './scenario.ts';

/** A key that the owner knows to be stored. */
export interface StoredKey {
  readonly id: string;
  readonly apiKey: string;
}

interface Wish {
  readonly provider?: string;
  readonly org?: Organisation;
  readonly isDefault?: boolean;
  readonly rejected?: boolean;
}

/** Stores a key, a new one for each attempt, so that attempts can be distinguished. */
export async function insistOnKey(
  { service, clients }: Scene,
  { provider = 'openai', org = service.org, isDefault = true, rejected = false }: Wish = {},
): Promise<StoredKey | undefined> {
  let apiKey = '';
  const answer = await clients.insist(() => {
    apiKey = service.provider.keys.issue(org.orgId, provider);
    if (rejected) service.provider.keys.rejected.add(apiKey);
    return service.http('byokKeys/create', { body: { provider, key: apiKey, is_default: isDefault } }, org);
  });
  if (answer?.status !== 201) return undefined;
  service.provider.keys.stored(apiKey);
  return { id: answer.body.data.id, apiKey };
}

/** Revokes a key until the service confirms it. */
export async function insistOnRevoking(
  { service, clients }: Scene,
  key: StoredKey | undefined,
  org = service.org,
): Promise<void> {
  if (key === undefined) return;
  service.provider.keys.revoking(key.apiKey);
  const answer = await clients.insist(() =>
    service.http('byokKeys/delete', { params: { keyId: key.id } }, org),
  );
  if (answer?.status === 204) service.provider.keys.revoked(key.apiKey, key.id);
}

/** A key for the judges, at once. */
export function storeKey(scene: Scene, wish: Wish = {}): void {
  scene.clients.begin(0, async () => void (await insistOnKey(scene, wish)));
}
