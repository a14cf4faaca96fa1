import { readFileSync } from 'node:fs';
import type { Vault } from '../domain/byok/ports.ts';
import type { Config } from '../runtime/config.ts';
import { kmsVault } from './kmsVault.ts';
import { localVault } from './localVault.ts';

/** Not in the runtime, so that only functions with a vault carry the KMS client. */
export function vaultFromConfig({ vault }: Pick<Config, 'vault'>): Vault {
  if (vault === undefined) throw new Error('BYOK keys need a vault: set KMS_KEY_ID or VAULT_KEY_FILE');
  return vault.kind === 'kms' ? kmsVault(vault) : localVault(readFileSync(vault.keyFile));
}
