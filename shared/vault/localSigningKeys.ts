import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { PublicJwk, SigningKeys } from '../domain/accounts/ports.ts';
import { publicJwk } from './publicJwk.ts';

const signAsync = promisify(sign);

/** Private keys in PEM files of this machine. The first key signs. */
export function localSigningKeys(pems: readonly (string | Uint8Array)[]): SigningKeys {
  const privateKeys = pems.map((pem) => createPrivateKey(Buffer.from(pem)));
  const [first] = privateKeys;
  if (first === undefined) throw new Error('Tokens need a signing key');
  const jwks: readonly PublicJwk[] = privateKeys.map((key: KeyObject) => publicJwk(createPublicKey(key)));
  return {
    publicKeys: async () => jwks,
    sign: async (message) => signAsync('RSA-SHA256', message, first),
  };
}
