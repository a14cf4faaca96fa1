import { createPublicKey, type KeyObject } from 'node:crypto';
import * as z from 'zod';

const FETCH_MS_MAX = 3_000;
const BYTES_MAX = 150_000;
/** However many unknown key ids come: once a minute. */
const FETCH_EVERY_MS = 60_000;

const keySetSchema = z.object({
  keys: z.array(z.looseObject({ kty: z.string(), kid: z.string().optional(), use: z.string().optional() })),
});

/** The issuer's keys could not be had: nobody's fault who calls, and no reason to let them in. */
export class KeysUnavailable extends Error {
  constructor(cause: unknown) {
    super('The keys of the OIDC issuer could not be fetched', { cause });
    this.name = 'KeysUnavailable';
  }
}

/** The public keys that an issuer signs with, by id, kept in memory. */
export function remoteKeys(url: string, now: () => number) {
  let known: ReadonlyMap<string, KeyObject> = new Map();
  let fetchedAtMs = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    fetchedAtMs = now();
    try {
      known = await fetchKeys(url);
    } catch (error) {
      // Keys that were good stay good; a key that is not among them can't be judged.
      if (known.size === 0) throw new KeysUnavailable(error);
    }
  }

  /** Undefined for a key that the issuer does not have. */
  return async function keyOf(kid: string): Promise<KeyObject | undefined> {
    const mayFetch = now() - fetchedAtMs >= FETCH_EVERY_MS;
    if (!known.has(kid) && (mayFetch || underWay !== undefined)) {
      underWay ??= refresh().finally(() => {
        underWay = undefined;
      });
      await underWay;
    }
    if (known.size === 0) throw new KeysUnavailable('the last attempt is less than a minute ago');
    return known.get(kid);
  };
}

async function fetchKeys(url: string): Promise<ReadonlyMap<string, KeyObject>> {
  const response = await fetch(url, {
    redirect: 'error',
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(FETCH_MS_MAX),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const { keys } = keySetSchema.parse(JSON.parse(await textWithin(response)));
  const usable = keys.flatMap((jwk) =>
    jwk.kty === 'RSA' && (jwk.use ?? 'sig') === 'sig' && jwk.kid !== undefined
      ? [[jwk.kid, createPublicKey({ key: jwk, format: 'jwk' })] as const]
      : [],
  );
  if (usable.length === 0) throw new Error(`${url} names no RSA key`);
  return new Map(usable);
}

async function textWithin(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > BYTES_MAX) throw new Error(`The key set is larger than ${BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
