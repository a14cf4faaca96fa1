import type { ProviderValue } from '../../../contracts/base/providers.ts';
import { openKey, recordUse, resolveKey } from '../../byok/keys.ts';
import { type ByokKeyStore, type KeyUser, type SealedKey, type Vault, VaultError } from '../../byok/ports.ts';
import { canonicalProvider } from '../../byok/providers.ts';
import type { Secret } from '../../byok/secret.ts';
import type { JudgeError } from './ports.ts';

export interface JudgeKeys {
  readonly byokKeys: ByokKeyStore;
  readonly vault: Pick<Vault, 'decrypt'>;
  readonly now: () => number;
}

/** A key that was read is used for so long without another read: a revoked key begins no call after that. */
const SEEN_FOR_MS = 5_000;

export interface OpenKey {
  readonly secret: Secret;
  readonly owner: 'project' | 'organisation';
  isRevoked(): Promise<boolean>;
}

/** A key that can never be opened is an error of its cases. Other failures of the vault are worth another delivery. */
function unopened(error: unknown, owner: OpenKey['owner']): JudgeError {
  if (!(error instanceof VaultError) || error.retryable) throw error;
  const reason = `the ${owner}'s stored key can no longer be opened: revoke it and add it again, then run the gate again`;
  return { kind: 'error', code: 'BYOK_KEY_REJECTED', reason };
}

/** Finds and decrypts each provider's key once, until it is revoked. Undefined where neither project nor organisation has one. */
export function createKeyring(deps: JudgeKeys, user: KeyUser) {
  const opened = new Map<string, Promise<OpenKey | JudgeError | undefined>>();

  async function open(provider: ProviderValue): Promise<OpenKey | JudgeError | undefined> {
    const key = await resolveKey(deps, user, provider);
    if (key === undefined) return undefined;
    const seenAtMs = deps.now();
    const owner = key.project_id === null ? 'organisation' : 'project';
    const secret = await openKey(deps, key).catch((error: unknown) => unopened(error, owner));
    if ('kind' in secret) return secret;
    // The time of last use is only shown to people: a failed write fails no run.
    await recordUse(deps, key).catch(() => undefined);
    const forget = () => void opened.delete(canonicalProvider(provider));
    return watched(deps, key, { secret, owner, seenAtMs }, forget);
  }

  return (value: ProviderValue): Promise<OpenKey | JudgeError | undefined> => {
    const provider = canonicalProvider(value);
    const known = opened.get(provider) ?? open(provider);
    opened.set(provider, known);
    return known;
  };
}

export type Keyring = ReturnType<typeof createKeyring>;

function watched(
  { byokKeys, now }: JudgeKeys,
  { org_id, id }: SealedKey,
  { secret, owner, seenAtMs: openedAtMs }: Omit<OpenKey, 'isRevoked'> & { readonly seenAtMs: number },
  forget: () => void,
): OpenKey {
  let seenAtMs = openedAtMs;
  let revoked = false;
  return {
    secret,
    owner,
    async isRevoked() {
      if (revoked || now() - seenAtMs <= SEEN_FOR_MS) return revoked;
      const askedAtMs = now();
      revoked = (await byokKeys.sealed(org_id, id)) === undefined;
      seenAtMs = askedAtMs;
      if (revoked) forget();
      return revoked;
    },
  };
}
