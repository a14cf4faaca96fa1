import { createPublicKey, type KeyObject } from 'node:crypto';
import * as z from 'zod';
import { issuerUnavailable } from '../domain/accounts/jobs.ts';
import { ALGORITHM } from './claims.ts';

const FETCH_MS_MAX = 3_000;
const BYTES_MAX = 150_000;
/** The shortest time between two fetches, also after a failed one and for unknown key ids. */
const FETCH_EVERY_MS = 60_000;
/** The longest time that a key is accepted after the issuer withdrew it, while the issuer answers. */
const OUTDATED_MS = 3_600_000;

/** RFC 7518, section 3.3. */
const MODULUS_BITS_MIN = 2_048;

const keySetSchema = z.object({ keys: z.array(z.unknown()) });
const signingKeySchema = z.looseObject({
  kty: z.literal('RSA'),
  kid: z.string().min(1),
  use: z.literal('sig').default('sig'),
  alg: z.literal(ALGORITHM).default(ALGORITHM),
});

interface Options {
  readonly url: string;
  readonly now: () => number;
  readonly onFailure: (error: unknown) => void;
}

/** The public signing keys of an issuer, by id, kept in memory. */
export function remoteKeys({ url, now, onFailure }: Options) {
  let known: ReadonlyMap<string, KeyObject> = new Map();
  let fetchedAtMs = Number.NEGATIVE_INFINITY;
  let triedAtMs = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    triedAtMs = now();
    try {
      known = await fetchKeys(url);
      fetchedAtMs = triedAtMs;
    } catch (error) {
      // After a failed fetch the known keys stay valid.
      onFailure(error);
    } finally {
      underWay = undefined;
    }
  }

  /** Undefined for a key that the issuer does not publish. */
  return async function keyOf(kid: string): Promise<KeyObject | undefined> {
    if (!known.has(kid) || now() - fetchedAtMs >= OUTDATED_MS) {
      if (now() - triedAtMs >= FETCH_EVERY_MS) underWay ??= refresh();
      await underWay;
    }
    const key = known.get(kid);
    // Without a key set it is unknown whether the key is the issuer's.
    if (key === undefined && fetchedAtMs !== triedAtMs) throw issuerUnavailable();
    return key;
  };
}

async function fetchKeys(url: string): Promise<ReadonlyMap<string, KeyObject>> {
  const response = await fetch(url, {
    redirect: 'error',
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(FETCH_MS_MAX),
  });
  const text = await textWithin(response);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const { keys } = keySetSchema.parse(JSON.parse(text));
  const usable = new Map(keys.flatMap(signingKey));
  if (usable.size === 0) throw new Error(`${url} names no key to verify ${ALGORITHM} with`);
  return usable;
}

/** Keys of another kind, and invalid ones, are skipped. */
function signingKey(jwk: unknown): [kid: string, key: KeyObject][] {
  const { data } = signingKeySchema.safeParse(jwk);
  if (data === undefined) return [];
  try {
    const key = createPublicKey({ key: data, format: 'jwk' });
    return (key.asymmetricKeyDetails?.modulusLength ?? 0) < MODULUS_BITS_MIN ? [] : [[data.kid, key]];
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
