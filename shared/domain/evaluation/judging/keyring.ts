import type { ProviderValue } from '../../../contracts/base/providers.ts';
import { openKey, recordUse, resolveKey } from '../../byok/keys.ts';
import type { ByokKeyStore, SealedKey, Vault } from '../../byok/ports.ts';
import { canonicalProvider } from '../../byok/providers.ts';
import type { Secret } from '../../byok/secret.ts';

export interface JudgeKeys {
  readonly byokKeys: ByokKeyStore;
  readonly vault: Pick<Vault, 'decrypt'>;
  readonly now: () => number;
}

/** A key that was read is used for so long without another read: a revoked key begins no call after that. */
const SEEN_FOR_MS = 5_000;

export interface OpenKey {
  readonly secret: Secret;
  isRevoked(): Promise<boolean>;
}

/** Finds and decrypts each provider's key once, until it is revoked. Undefined for an organisation without a key. */
export function createKeyring(deps: JudgeKeys, orgId: string) {
  const opened = new Map<string, Promise<OpenKey | undefined>>();

  async function open(provider: ProviderValue): Promise<OpenKey | undefined> {
    const key = await resolveKey(deps, orgId, provider);
    if (key === undefined) return undefined;
    const seenAtMs = deps.now();
    const secret = await openKey(deps, key);
    // The time of last use is only shown to people: a failed write fails no run.
    await recordUse(deps, key).catch(() => undefined);
    const forget = () => void opened.delete(canonicalProvider(provider));
    return watched(deps, key, { secret, seenAtMs }, forget);
  }

  return (value: ProviderValue): Promise<OpenKey | undefined> => {
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
  { secret, seenAtMs: openedAtMs }: { readonly secret: Secret; readonly seenAtMs: number },
  forget: () => void,
): OpenKey {
  let seenAtMs = openedAtMs;
  let revoked = false;
  return {
    secret,
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
