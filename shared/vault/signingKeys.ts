import { readFileSync } from 'node:fs';
import type { SigningKeys } from '../domain/accounts/ports.ts';
import type { SigningKeysConfig } from '../runtime/config.ts';
import type { KeyKind } from './publicJwk.ts';

/** Each way is loaded when it is used, so that functions without keys do not load the KMS client. */
export async function signingKeys<Jwk>(
  config: SigningKeysConfig,
  kind: KeyKind<Jwk>,
): Promise<SigningKeys<Jwk>> {
  if (config.kind === 'kms') {
    const { kmsSigningKeys } = await import('./kmsSigningKeys.ts');
    return kmsSigningKeys(config, kind);
  }
  const { localSigningKeys } = await import('./localSigningKeys.ts');
  return localSigningKeys(
    config.files.map((file) => readFileSync(file)),
    kind,
  );
}
