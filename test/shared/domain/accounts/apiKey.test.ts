import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isApiKey, newApiKey, sha256OfKey, shownPrefix } from '../../../../shared/domain/accounts/apiKey.ts';
import { sized } from '../../../support/soak.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const anyRandom = fc.oneof(
  fc.uint8Array({ minLength: 32, maxLength: 32 }),
  fc.constantFrom(new Uint8Array(32), new Uint8Array(32).fill(255)),
);
const anyKey = anyRandom.map((bytes) => newApiKey(Buffer.from(bytes)));

test('a key is egk_, 43 characters of randomness and 6 of checksum, and is recognised', () => {
  fc.assert(
    fc.property(anyKey, (key) => {
      expect(key).toMatch(/^egk_[0-9A-Za-z]{49}$/);
      expect(isApiKey(key)).toBe(true);
    }),
  );
});

test('different randomness makes different keys', () => {
  fc.assert(
    fc.property(anyRandom, anyRandom, (one, other) => {
      const same = Buffer.compare(Buffer.from(one), Buffer.from(other)) === 0;
      expect(newApiKey(Buffer.from(one)) === newApiKey(Buffer.from(other))).toBe(same);
    }),
  );
  expect(newApiKey()).not.toBe(newApiKey());
});

test('any single character that is changed is noticed', () => {
  const character = fc.constantFrom(...ALPHABET);
  fc.assert(
    fc.property(anyKey, fc.nat({ max: 52 }), character, (key, at, other) => {
      fc.pre(key[at] !== other);
      expect(isApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
    }),
    { numRuns: sized(500, 2_000) },
  );
});

test('two neighbours that are swapped are noticed', () => {
  fc.assert(
    fc.property(anyKey, fc.integer({ min: 4, max: 51 }), (key, at) => {
      fc.pre(key[at] !== key[at + 1]);
      const swapped = key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2);
      expect(isApiKey(swapped)).toBe(false);
    }),
    { numRuns: sized(500, 2_000) },
  );
});

test('a shortened, lengthened or surrounded key is refused', () => {
  const key = newApiKey();
  const others = ['', key.slice(1), key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`, key.toUpperCase()];
  for (const other of others) expect(isApiKey(other)).toBe(false);
});

test('no text is taken for a key that is not one', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => expect(isApiKey(text)).toBe(false)));
});

test('neither the stored hash nor the shown prefix reveals the key', () => {
  const key = newApiKey();
  expect(sha256OfKey(key)).toMatch(/^[0-9a-f]{64}$/);
  expect(shownPrefix(key)).toBe(key.slice(0, 12));
});
