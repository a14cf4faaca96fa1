import { readFileSync } from 'node:fs';
import type { SigningKeys } from '../domain/accounts/ports.ts';
import type { TokenKeysConfig } from '../runtime/config.ts';

/** Each kind is loaded when it is used, so that functions without tokens do not load the KMS client. */
export async function tokenKeysFromConfig(config: TokenKeysConfig | undefined): Promise<SigningKeys> {
  if (config === undefined) throw new Error('Tokens need keys: set TOKEN_KMS_KEY_IDS or TOKEN_KEY_FILES');
  if (config.kind === 'kms') {
    const { kmsSigningKeys } = await import('./kmsSigningKeys.ts');
    return kmsSigningKeys(config);
  }
  const { localSigningKeys } = await import('./localSigningKeys.ts');
  return localSigningKeys(config.files.map((file) => readFileSync(file)));
}
