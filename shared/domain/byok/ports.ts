import type { PageQuery } from '../../contracts/base/common.ts';
import type { SIGN_IN_SECRET } from '../../contracts/base/providers.ts';
import type { ByokKey } from '../../contracts/credentials/byokKeys.ts';
import type { LoggedChange } from '../changes/log.ts';
import type { Page } from '../ports.ts';
import type { ProjectHead } from '../suites/stored.ts';
import type { Provider } from './providers.ts';
import type { Secret } from './secret.ts';

/** What a ciphertext is bound to: it can't be decrypted for another organisation, project, provider or key. */
export interface KeyContext {
  readonly org: string;
  readonly provider: Provider | typeof SIGN_IN_SECRET;
  readonly keyId: string;
  /** Of a key that belongs to a project. */
  readonly project?: string;
}

/** Functions get the half they need: the endpoint only encrypts, the evaluator only decrypts. */
export interface Vault {
  encrypt(secret: Secret, context: KeyContext): Promise<string>;
  decrypt(ciphertext: string, context: KeyContext): Promise<Secret>;
}

/** Its message holds neither the secret nor text from the vault's service. */
export class VaultError extends Error {
  readonly retryable: boolean;

  constructor(message: string, options: { readonly retryable: boolean }) {
    super(message);
    this.name = 'VaultError';
    this.retryable = options.retryable;
  }
}

export type SealedKey = Pick<ByokKey, 'id' | 'org_id' | 'project_id' | 'provider' | 'last_used_at'> & {
  readonly ciphertext: string;
};

/** Whose judges use a key. */
export interface KeyUser {
  readonly orgId: string;
  readonly projectId: string;
}

export interface ByokKeyStore {
  /** `project`: that of the key, which has to exist. */
  create(
    key: ByokKey,
    ciphertext: string,
    log: LoggedChange,
    project?: ProjectHead,
  ): Promise<'created' | 'limit_reached' | 'parent_gone'>;
  find(orgId: string, id: string): Promise<ByokKey | undefined>;
  /** Of a project, or, where it is null, of the organisation itself. */
  page(orgId: string, projectId: string | null, query: PageQuery): Promise<Page<ByokKey>>;
  /** The project's, before the organisation's. */
  ofProvider(user: KeyUser, provider: Provider): Promise<SealedKey | undefined>;
  /** Undefined from the moment the key is revoked. */
  sealed(orgId: string, id: string): Promise<SealedKey | undefined>;
  /** Destroys the ciphertext. False when it was gone already. */
  revoke(key: ByokKey, log: LoggedChange): Promise<boolean>;
  /** Stores the time of use, unless a time after `notAfter` is stored already or the key is gone. */
  touch(orgId: string, id: string, usedAt: string, notAfter: string): Promise<void>;
}
