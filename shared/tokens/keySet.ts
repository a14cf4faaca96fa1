import { createPublicKey, type KeyObject } from 'node:crypto';
import * as z from 'zod';
import { type Connect, createConnect } from '../connection/connection.ts';
import { reachOf } from '../connection/reach.ts';
import type { Discovery, IssuerKey } from '../domain/accounts/ports.ts';
import { ALGORITHM } from './claims.ts';

/** Of each of the two requests for discovery and keys. */
export const FETCH_MS_MAX = 3_000;
export const BYTES_MAX = 150_000;
const KEYS_MAX = 100;

/** RFC 7518, section 3.3. */
const MODULUS_BITS_MIN = 2_048;

const discoverySchema = z.object({
  issuer: z.string(),
  jwks_uri: z.string(),
  authorization_endpoint: z.string().optional(),
  token_endpoint: z.string().optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string().max(100)).max(20).optional().catch(undefined),
});

const keySetSchema = z.object({ keys: z.array(z.unknown()).max(KEYS_MAX) });
const shared = { kid: z.string().min(1), use: z.literal('sig').default('sig') };
const signingKeySchema = z.union([
  z.object({
    ...shared,
    kty: z.literal('RSA'),
    n: z.string(),
    e: z.string(),
    alg: z.literal(ALGORITHM).default(ALGORITHM),
  }),
  z.object({
    ...shared,
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: z.string(),
    y: z.string(),
    alg: z.literal('ES256').default('ES256'),
  }),
]);

/** What an issuer publishes. */
export interface Published {
  readonly discovery: Discovery;
  readonly keys: readonly IssuerKey[];
}

/**
 * Reads discovery (OpenID Connect Discovery 1.0) and keys of an issuer, at addresses that it may have. Throws where they
 * cannot be read, name another issuer or hold no key that verifies. Errors quote nothing that was read.
 */
export async function fetchPublished(
  issuer: string,
  allowlist: readonly string[],
  connect: Connect = createConnect(),
): Promise<Published> {
  const read = (url: string) => readJson(url, { issuer, connect, allowlist });
  const discovered = discoverySchema.safeParse(
    await read(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`),
  );
  if (discovered.data?.issuer !== issuer)
    throw new Error(`The discovery of ${issuer} is none of this issuer`);
  const { jwks_uri, authorization_endpoint, token_endpoint } = discovered.data;
  for (const url of [authorization_endpoint, token_endpoint]) {
    if (url !== undefined && reachOf(url, allowlist) === undefined)
      throw new Error(`The discovery of ${issuer} names an address that may not be called`);
  }
  const set = keySetSchema.safeParse(await read(jwks_uri));
  const keys = (set.data?.keys ?? []).flatMap(signingKey).map(({ kept }) => kept);
  if (keys.length === 0) throw new Error(`The keys of ${issuer} hold none to verify RS256 or ES256 with`);
  const { issuer: _, ...discovery } = discovered.data;
  return { discovery, keys };
}

export const keysById = (jwks: readonly IssuerKey[]): ReadonlyMap<string, KeyObject> =>
  new Map(jwks.flatMap(signingKey).map(({ kept, key }) => [kept.kid, key]));

/** Keys of another kind, and invalid ones, are skipped. */
function signingKey(value: unknown): { kept: IssuerKey; key: KeyObject }[] {
  const { data: jwk } = signingKeySchema.safeParse(value);
  if (jwk === undefined) return [];
  try {
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    if (jwk.kty === 'EC') {
      const { kty, kid, crv, x, y } = jwk;
      return [{ kept: { kty, kid, crv, x, y }, key }];
    }
    const { kty, kid, n, e } = jwk;
    const isLong = (key.asymmetricKeyDetails?.modulusLength ?? 0) >= MODULUS_BITS_MIN;
    return isLong ? [{ kept: { kty, kid, n, e }, key }] : [];
  } catch {
    return [];
  }
}

interface Calling {
  readonly issuer: string;
  readonly connect: Connect;
  readonly allowlist: readonly string[];
}

async function readJson(url: string, { issuer, connect, allowlist }: Calling): Promise<unknown> {
  const unread = (why: string) => new Error(`Discovery or keys of ${issuer} cannot be read: ${why}`);
  const reach = reachOf(url, allowlist);
  if (reach === undefined) throw unread('their address may not be called');
  const connection = connect({
    reach,
    timeoutMs: FETCH_MS_MAX,
    connectTimeoutMs: FETCH_MS_MAX,
    resolve: undefined,
    bytesMax: BYTES_MAX,
  });
  const response = await connection.fetch(url, { headers: { accept: 'application/json' } }).catch(() => {
    throw unread(connection.problem ?? 'connection');
  });
  if (!response.ok) throw unread(`the answer is a ${response.status}`);
  try {
    return JSON.parse(await response.text());
  } catch {
    throw unread('the answer is no JSON');
  }
}
