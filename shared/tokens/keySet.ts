import { createPublicKey, type KeyObject } from 'node:crypto';
import * as z from 'zod';
import type { IssuerKey } from '../domain/accounts/ports.ts';
import { ALGORITHM } from './claims.ts';

export const FETCH_MS_MAX = 3_000;
const BYTES_MAX = 150_000;

/** RFC 7518, section 3.3. */
const MODULUS_BITS_MIN = 2_048;

const keySetSchema = z.object({ keys: z.array(z.unknown()) });
const signingKeySchema = z.object({
  kty: z.literal('RSA'),
  kid: z.string().min(1),
  n: z.string(),
  e: z.string(),
  use: z.literal('sig').default('sig'),
  alg: z.literal(ALGORITHM).default(ALGORITHM),
});

/** The keys of an issuer that can verify. Throws for an answer without any. */
export async function fetchKeySet(url: string): Promise<readonly IssuerKey[]> {
  const response = await fetch(url, {
    redirect: 'error',
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(FETCH_MS_MAX),
  });
  const text = await textWithin(response);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const { keys } = keySetSchema.parse(JSON.parse(text));
  const usable = keys.flatMap(signingKey);
  if (usable.length === 0) throw new Error(`${url} names no key to verify ${ALGORITHM} with`);
  return usable.map(({ jwk: { kty, kid, n, e } }) => ({ kty, kid, n, e }));
}

export const keysById = (jwks: readonly IssuerKey[]): ReadonlyMap<string, KeyObject> =>
  new Map(jwks.flatMap(signingKey).map(({ jwk, key }) => [jwk.kid, key]));

/** Keys of another kind, and invalid ones, are skipped. */
function signingKey(value: unknown): { jwk: IssuerKey; key: KeyObject }[] {
  const { data: jwk } = signingKeySchema.safeParse(value);
  if (jwk === undefined) return [];
  try {
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    return (key.asymmetricKeyDetails?.modulusLength ?? 0) < MODULUS_BITS_MIN ? [] : [{ jwk, key }];
  } catch {
    return [];
  }
}

async function textWithin(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > BYTES_MAX) throw new Error(`${response.url} answered more than ${BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
