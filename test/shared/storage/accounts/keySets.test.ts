import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { IssuerKey, KeySetStore } from '../../../../shared/domain/accounts/ports.ts';
import { keySetStore } from '../../../../shared/storage/accounts/keySets.ts';
import { type OwnTable, startOwnTable } from '../../../support/ownService.ts';

const AT_MS = Date.parse('2036-05-05T10:00:00.000Z');
const MINUTE_MS = 60_000;
const KEYS: readonly IssuerKey[] = [{ kty: 'RSA', kid: 'first', n: 'AQAB', e: 'AQAB' }];

let own: OwnTable;
let store: KeySetStore;
beforeAll(async () => {
  own = await startOwnTable(() => AT_MS);
});
afterAll(() => own.stop());
beforeEach(() => {
  store = keySetStore(own.table, `https://issuer.example/${randomUUID()}`);
});

const claim = (atMs: number) =>
  store.claim({ atMs, triedBeforeMs: atMs - MINUTE_MS, aheadMs: atMs + MINUTE_MS });

test('of many functions that want to fetch at once one is to, and the others learn that it does', async () => {
  expect(await store.read()).toBeUndefined();
  const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => claim(AT_MS + index)));
  expect(answers.filter((answer) => answer === undefined)).toHaveLength(1);
  const triedAtMs = (await store.read())?.triedAtMs;
  for (const answer of answers.filter((one) => one !== undefined))
    expect(answer).toEqual({ keys: [], triedAtMs, fetchedAtMs: undefined, endedAtMs: undefined });
});

test('a fetched set is what all read, and stays when a later fetch fails', async () => {
  await claim(AT_MS);
  await store.keep(AT_MS, KEYS);
  const fetched = { keys: KEYS, triedAtMs: AT_MS, fetchedAtMs: AT_MS, endedAtMs: AT_MS };
  expect(await store.read()).toEqual(fetched);
  expect(await claim(AT_MS + MINUTE_MS - 1)).toEqual(fetched);
  const laterMs = AT_MS + MINUTE_MS;
  expect(await claim(laterMs)).toBeUndefined();
  await store.fail(laterMs);
  expect(await store.read()).toEqual({ ...fetched, triedAtMs: laterMs, endedAtMs: laterMs });
});

test('a fetch that was overtaken changes nothing', async () => {
  await claim(AT_MS);
  await claim(AT_MS + MINUTE_MS);
  await store.keep(AT_MS, KEYS);
  await store.fail(AT_MS);
  expect(await store.read()).toMatchObject({ keys: [], fetchedAtMs: undefined, endedAtMs: undefined });
});

test('an attempt by a clock that is far ahead does not keep others from fetching', async () => {
  await claim(AT_MS + 365 * 24 * 60 * MINUTE_MS);
  expect(await claim(AT_MS)).toBeUndefined();
});
