import type { PublicJwk, SigningKeys } from '../domain/accounts/ports.ts';
import type { SigningKeysConfig } from '../runtime/config.ts';
import { TOKEN_KEYS } from './publicJwk.ts';
import { signingKeys } from './signingKeys.ts';

export async function tokenKeysFromConfig(
  config: SigningKeysConfig | undefined,
): Promise<SigningKeys<PublicJwk>> {
  if (config === undefined) throw new Error('Tokens need keys: set TOKEN_KMS_KEY_IDS or TOKEN_KEY_FILES');
  return signingKeys(config, TOKEN_KEYS);
}
