import type { ApiKey } from '../../contracts/auth.ts';

export interface ApiKeyStore {
  /** At the limit it takes the place of the key that expired first, if one has. */
  create(
    orgId: string,
    key: ApiKey & { readonly sha256: string },
    limit: number,
  ): Promise<'created' | 'limit_reached' | 'organisation_gone'>;
  /** All keys of an organisation, newest first. */
  list(orgId: string): Promise<readonly ApiKey[]>;
  /** `mayRevoke` sees all keys at the moment that counts. */
  revoke(
    orgId: string,
    keyId: string,
    mayRevoke: (key: ApiKey, keys: readonly ApiKey[]) => boolean,
  ): Promise<'revoked' | 'gone' | 'refused'>;
}
