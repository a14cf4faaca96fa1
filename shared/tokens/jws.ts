import { createPublicKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { SigningKeys, VerifyingKeys } from '../domain/accounts/ports.ts';
import { lazily } from '../domain/caches/lazily.ts';
import { ALGORITHM, TOKEN_CHARACTERS_MAX } from './claims.ts';

const encoded = (value: object | Uint8Array): string =>
  Buffer.from(value instanceof Uint8Array ? value : JSON.stringify(value)).toString('base64url');

/** In JWS compact form (RFC 7515). The signing key may stay in KMS. */
export async function signed(keys: SigningKeys, typ: string, payload: object): Promise<string> {
  const [signing] = await keys.publicKeys();
  if (signing === undefined) throw new Error('There is no key to sign tokens with');
  const text = `${encoded({ alg: ALGORITHM, typ, kid: signing.kid })}.${encoded(payload)}`;
  const signature = await keys.sign(Buffer.from(text));
  return `${text}.${encoded(signature)}`;
}

interface Expected {
  readonly typ: string;
  readonly audience: string;
}

/** Reads what `signed` made, in its time. Undefined for anything else. */
export function signedReader(
  keys: VerifyingKeys,
  { issuer, now }: { readonly issuer: string; readonly now: () => number },
) {
  const keysById = lazily(async (): Promise<ReadonlyMap<string, KeyObject>> => {
    const jwks = await keys.publicKeys();
    return new Map(jwks.map((jwk) => [jwk.kid, createPublicKey({ key: { ...jwk }, format: 'jwk' })]));
  });
  return async (token: string, { typ, audience }: Expected): Promise<unknown> => {
    const kid = kidOf(token, typ);
    const key = kid === undefined ? undefined : (await keysById()).get(kid);
    if (key === undefined) return undefined;
    const clockTimestamp = Math.floor(now() / 1_000);
    try {
      return jwt.verify(token, key, { algorithms: [ALGORITHM], issuer, audience, clockTimestamp });
    } catch (error) {
      if (error instanceof jwt.JsonWebTokenError) return undefined;
      throw error;
    }
  };
}

/** The key id of a header like ours: one algorithm, one type, no critical extensions, no other field. */
function kidOf(token: string, expected: string): string | undefined {
  if (token.length > TOKEN_CHARACTERS_MAX) return undefined;
  const parts = token.split('.').map((part) => Buffer.from(part, 'base64url'));
  // Base64 decoders ignore surplus bits, so that two texts would be the same token.
  if (parts.map((part) => part.toString('base64url')).join('.') !== token) return undefined;
  try {
    const { alg, typ, kid, ...otherFields } = JSON.parse(String(parts[0])) as Record<string, unknown>;
    const isOurs = alg === ALGORITHM && typ === expected && Object.keys(otherFields).length === 0;
    return isOurs && typeof kid === 'string' ? kid : undefined;
  } catch {
    return undefined;
  }
}
