import { createHash, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import * as z from 'zod';
import { uuidSchema } from '../contracts/base/common.ts';
import type { IssuedToken, IssuerTokens, KeySetStore } from '../domain/accounts/ports.ts';
import { BoundedCache } from '../domain/caches/boundedCache.ts';
import { issuerUnavailable } from '../domain/issuers/unavailable.ts';
import { ALGORITHM, CLOCK_TOLERANCE_SECONDS } from './claims.ts';
import { fetchPublished } from './keySet.ts';
import { remoteKeys } from './remoteKeys.ts';

/** Those of CI jobs are 2 to 3 kB. */
const TOKEN_CHARACTERS_MAX = 8_192;
const AUDIENCE_PREFIX = 'evalgate:';
/** Issuers whose keys a function keeps in memory. */
const REMEMBERED_MAX = 100;

const organisationSchema = z
  .string()
  .startsWith(AUDIENCE_PREFIX)
  .transform((aud) => aud.slice(AUDIENCE_PREFIX.length))
  .pipe(uuidSchema);

const timesSchema = z.looseObject({
  iat: z.int(),
  exp: z.int(),
  jti: z.string().min(1).max(1_024).optional(),
});

interface Options {
  /** `host:port` that an issuer may have though they are private: see `shared/connection/reach.ts`. */
  readonly allowlist: (issuer: string) => readonly string[];
  readonly keySets: (issuer: string) => KeySetStore;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Called each time that what an issuer publishes could not be read. */
  readonly onFailure: (error: unknown, issuer: string) => void;
}

/** Verifies tokens of any issuer. Each has its own keys: a key id of one never finds a key of another. */
export function issuerTokens({ allowlist, keySets, now, sleep, onFailure }: Options): IssuerTokens {
  const remembered = new BoundedCache<ReturnType<typeof remoteKeys>>({ maxSize: REMEMBERED_MAX });

  function publishedBy(issuer: string): ReturnType<typeof remoteKeys> {
    const known = remembered.get(issuer);
    if (known !== undefined) return known;
    const keys = remoteKeys({
      fetchPublished: () => fetchPublished(issuer, allowlist(issuer)),
      store: keySets(issuer),
      now,
      sleep,
      onFailure: (error) => onFailure(error, issuer),
      unavailable: () => issuerUnavailable(issuer),
    });
    remembered.set(issuer, keys);
    return keys;
  }

  function issuedIn(
    token: string,
    key: KeyObject,
    issuer: string,
    secondsMax: number,
  ): IssuedToken | undefined {
    const nowSeconds = Math.floor(now() / 1_000);
    const verified = verifiedIn(token, key, { issuer, nowSeconds });
    const { data: claims } = timesSchema.safeParse(verified);
    if (claims === undefined) return undefined;
    const { iat, exp, jti } = claims;
    const inTime = iat <= nowSeconds + CLOCK_TOLERANCE_SECONDS && exp > iat && exp - iat <= secondsMax;
    if (!inTime) return undefined;
    // Without an id the signed text is the token's: a signature can be written in several ways.
    const named = jti === undefined ? ['text', token.slice(0, token.lastIndexOf('.'))] : ['id', jti];
    return {
      claims,
      spentAs: createHash('sha256')
        .update(JSON.stringify([issuer, ...named]))
        .digest('hex'),
      usableUntilMs: (exp + CLOCK_TOLERANCE_SECONDS) * 1_000,
    };
  }

  return {
    addressOf(token) {
      if (token.length > TOKEN_CHARACTERS_MAX) return undefined;
      const { iss, aud } = partOf(token, 1);
      const { data: orgId } = organisationSchema.safeParse(aud);
      return typeof iss === 'string' && orgId !== undefined ? { issuer: iss, orgId } : undefined;
    },

    async verify(token, { issuer, secondsMax }) {
      const kid = kidOf(token);
      const key = kid === undefined ? undefined : await publishedBy(issuer).keyOf(kid);
      return key && issuedIn(token, key, issuer, secondsMax);
    },

    discovery: (issuer) => publishedBy(issuer).discovery(),
  };
}

/** The key decides the algorithm. Undefined for whatever the library rejects: it throws other errors for invalid JSON. */
function verifiedIn(
  token: string,
  key: KeyObject,
  { issuer, nowSeconds }: { readonly issuer: string; readonly nowSeconds: number },
): unknown {
  try {
    return jwt.verify(token, key, {
      algorithms: [key.asymmetricKeyType === 'ec' ? 'ES256' : ALGORITHM],
      issuer,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      clockTimestamp: nowSeconds,
    });
  } catch {
    return undefined;
  }
}

/** Undefined for a header with extensions, or of another kind of token. */
function kidOf(token: string): string | undefined {
  const { alg, kid, crit, typ } = partOf(token, 0);
  const isPlain =
    (alg === ALGORITHM || alg === 'ES256') && crit === undefined && (typ === undefined || typ === 'JWT');
  return isPlain && typeof kid === 'string' ? kid : undefined;
}

/** The fields of header or payload. None if it is no JSON object. */
function partOf(token: string, part: 0 | 1): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
