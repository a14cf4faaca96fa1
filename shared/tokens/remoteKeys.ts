import type { KeyObject } from 'node:crypto';
import type { Discovery, KeySetStore, StoredKeySet } from '../domain/accounts/ports.ts';
import { FETCH_MS_MAX, keysById, type Published } from './keySet.ts';

/** The shortest time between two fetches of all functions, also after a failed one and for unknown key ids. */
const FETCH_EVERY_MS = 60_000;
/** The longest time that a key is accepted after the issuer withdrew it, while the issuer answers. */
const OUTDATED_MS = 3_600_000;
/** The same while it does not answer. */
const KEPT_MS = 24 * 3_600_000;
/** Clocks of functions differ. What is further in the future was written by a wrong one and counts as never. */
const AHEAD_MS_MAX = 30_000;
/** After this a fetch has ended, or its function has. */
const FETCH_OVER_MS = 2 * FETCH_MS_MAX + 1_000;
const POLL_EVERY_MS = 250;

interface Options {
  readonly fetchPublished: () => Promise<Published>;
  readonly store: KeySetStore;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
  /** The error where it is unknown what the issuer publishes. */
  readonly unavailable: () => Error;
}

interface Known {
  readonly keys: ReadonlyMap<string, KeyObject>;
  readonly discovery: Discovery | undefined;
  readonly fetchedAtMs: number;
}

const isOver = ({ triedAtMs, endedAtMs }: StoredKeySet): boolean => endedAtMs === triedAtMs;

/** What the function that fetches leaves. A fetch that does not end in time counts as failed. */
async function endOf(
  first: StoredKeySet,
  { store, now, sleep }: Pick<Options, 'store' | 'now' | 'sleep'>,
): Promise<StoredKeySet> {
  let stored = first;
  while (!isOver(stored) && isWithin(now() - stored.triedAtMs, FETCH_OVER_MS)) {
    await sleep(POLL_EVERY_MS);
    stored = (await store.read()) ?? stored;
  }
  return stored;
}

/** A time of a clock that is ahead of ours lies in the past, too. */
const isWithin = (sinceMs: number, ageMs: number): boolean => sinceMs < ageMs && sinceMs >= -AHEAD_MS_MAX;

/**
 * The public signing keys of an issuer, by id, and its discovery. One function fetches them for all: the others read them
 * from the table, and keep them in memory.
 */
export function remoteKeys({ fetchPublished, store, now, sleep, onFailure, unavailable }: Options) {
  let known: Known = { keys: new Map(), discovery: undefined, fetchedAtMs: Number.NEGATIVE_INFINITY };
  let hasFailed = false;
  let nextLookMs = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> | undefined;

  const has = (kid: string, ageMs = OUTDATED_MS): boolean =>
    known.keys.has(kid) && isWithin(now() - known.fetchedAtMs, ageMs);

  /** After a failed fetch the known keys stay valid. */
  function adopt(stored: StoredKeySet): void {
    const { keys, discovery, fetchedAtMs, triedAtMs } = stored;
    if (fetchedAtMs !== undefined && fetchedAtMs !== known.fetchedAtMs)
      known = { keys: keysById(keys), discovery, fetchedAtMs };
    hasFailed = fetchedAtMs !== triedAtMs;
    nextLookMs = Math.min(triedAtMs, now()) + FETCH_EVERY_MS;
  }

  async function fetchForAll(triedAtMs: number): Promise<void> {
    const published = await fetchPublished().catch((error: unknown) => {
      onFailure(error);
      return undefined;
    });
    if (published === undefined) {
      [hasFailed, nextLookMs] = [true, triedAtMs + FETCH_EVERY_MS];
      return store.fail(triedAtMs);
    }
    adopt({ ...published, triedAtMs, fetchedAtMs: triedAtMs, endedAtMs: triedAtMs });
    return store.keep(triedAtMs, published);
  }

  async function look(isKnown: () => boolean): Promise<void> {
    const stored = await store.read();
    if (stored !== undefined) adopt(stored);
    if (isKnown()) return;
    const atMs = now();
    const [triedBeforeMs, aheadMs] = [atMs - FETCH_EVERY_MS, atMs + AHEAD_MS_MAX];
    const claimedByOther = await store.claim({ atMs, triedBeforeMs, aheadMs });
    if (claimedByOther === undefined) await fetchForAll(atMs);
    else adopt(await endOf(claimedByOther, { store, now, sleep }));
  }

  async function lookUntil(isKnown: () => boolean): Promise<void> {
    // Twice, since the look that is under way may be for something else.
    for (let looks = 0; looks < 2 && !isKnown(); looks++) {
      const waitMs = nextLookMs - now();
      // A longer wait is that of a clock that was set back.
      if (underWay === undefined && waitMs > 0 && waitMs <= FETCH_EVERY_MS) break;
      underWay ??= look(isKnown).finally(() => {
        underWay = undefined;
      });
      await underWay;
    }
  }

  return {
    /** Undefined for a key that the issuer does not publish. */
    async keyOf(kid: string): Promise<KeyObject | undefined> {
      await lookUntil(() => has(kid));
      if (has(kid, KEPT_MS)) return known.keys.get(kid);
      // Without a key set it is unknown whether the key is the issuer's.
      if (hasFailed) throw unavailable();
      return undefined;
    },

    /** Throws where the issuer's discovery cannot be read, and was not read within a day. */
    async discovery(): Promise<Discovery> {
      const isKnown = (ageMs: number) =>
        known.discovery !== undefined && isWithin(now() - known.fetchedAtMs, ageMs);
      await lookUntil(() => isKnown(OUTDATED_MS));
      if (known.discovery === undefined || !isKnown(KEPT_MS)) throw unavailable();
      return known.discovery;
    },
  };
}
