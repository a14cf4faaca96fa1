import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { SigningKeys } from '../domain/accounts/ports.ts';
import type { KeyKind } from './publicJwk.ts';

const signAsync = promisify(sign);

/** Private keys in PEM files of this machine. The first key signs. */
export function localSigningKeys<Jwk>(
  pems: readonly (string | Uint8Array)[],
  { jwkOf }: Pick<KeyKind<Jwk>, 'jwkOf'>,
): SigningKeys<Jwk> {
  const privateKeys = pems.map((pem) => createPrivateKey(Buffer.from(pem)));
  const [first] = privateKeys;
  if (first === undefined) throw new Error('Nothing is signed without a key');
  const jwks = privateKeys.map((key) => jwkOf(createPublicKey(key)));
  return {
    publicKeys: async () => jwks,
    sign: async (message) => signAsync('SHA256', message, first),
  };
}
