import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ConnectionError, errorOf, TimeoutError } from '../../../clients/sdk/errors.ts';
import { FOREVER, pauseBeforeNext, pollPauseMs } from '../../../clients/sdk/transport/retries.ts';

const LOST = [
  new ConnectionError('lost', { code: 'CONNECTION_LOST' }),
  new TimeoutError('late', { code: 'TIMEOUT' }),
];
const random = fc.double({ min: 0, max: 1, noNaN: true });
const failures = fc.nat({ max: 12 });
const status = fc.constantFrom(
  301,
  400,
  401,
  402,
  403,
  404,
  405,
  408,
  409,
  413,
  422,
  429,
  500,
  501,
  502,
  503,
  504,
);
const patience = fc.record({
  retries: fc.nat({ max: 12 }),
  isRepeatable: fc.boolean(),
  retryAfterMsMax: fc.nat({ max: 600_000 }),
});
const UNSURE = [408, 500, 502, 503, 504];

const errorWith = (code: number, retryAfterSeconds?: number) =>
  errorOf('failed', { status: code, code: `HTTP_${code}`, retryAfterSeconds });

describe('the retry schedule', () => {
  test('repeats a refusal for the rate always, what may have happened only where that is safe, and nothing else', () => {
    fc.assert(
      fc.property(status, patience, failures, random, (code, given, failed, drawn) => {
        const pause = pauseBeforeNext(errorWith(code), failed, given, drawn);
        const isSafe = code === 429 || (given.isRepeatable && UNSURE.includes(code));
        expect(pause !== FOREVER).toBe(isSafe && failed < given.retries);
      }),
    );
  });

  test('repeats a request without an answer only where that is safe', () => {
    fc.assert(
      fc.property(fc.constantFrom(...LOST), patience, failures, random, (error, given, failed, drawn) => {
        const pause = pauseBeforeNext(error, failed, given, drawn);
        expect(pause !== FOREVER).toBe(given.isRepeatable && failed < given.retries);
      }),
    );
  });

  test('pauses up to 0.5, 1, 2, 4 and then 8 s', () => {
    const given = { retries: 12, isRepeatable: true, retryAfterMsMax: 60_000 };
    fc.assert(
      fc.property(fc.nat({ max: 11 }), random, (failed, drawn) => {
        const pause = pauseBeforeNext(LOST[0]!, failed, given, drawn);
        expect(pause).toBeCloseTo(drawn * Math.min(8_000, 500 * 2 ** failed), 6);
      }),
    );
  });

  test('obeys Retry-After to at most half a second more, or gives up where it is longer than the patience', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 900 }), patience, random, (seconds, given, drawn) => {
        fc.pre(given.retries > 0);
        const pause = pauseBeforeNext(errorWith(429, seconds), 0, given, drawn);
        if (seconds * 1_000 > given.retryAfterMsMax) expect(pause).toBe(FOREVER);
        else {
          expect(pause).toBeGreaterThanOrEqual(seconds * 1_000);
          expect(pause).toBeLessThanOrEqual(seconds * 1_000 + 500);
        }
      }),
    );
  });

  test('a first try that is under way is waited for as often as it is, at the pace of its Retry-After', () => {
    const known = { status: 409, code: 'IDEMPOTENCY_IN_PROGRESS', retryAfterSeconds: 2 };
    const given = { retries: 0, isRepeatable: true, retryAfterMsMax: 60_000 };
    fc.assert(
      fc.property(failures, random, (failed, drawn) => {
        const pause = pauseBeforeNext(errorOf('under way', known), failed, given, drawn);
        expect(pause).toBeCloseTo(2_000 + drawn * 500, 6);
      }),
    );
  });

  test('looks at a run of ten minutes some 63 times', () => {
    let [looks, waitedMs] = [0, 0];
    for (; waitedMs < 600_000; looks++) waitedMs += pollPauseMs(looks, 0.5);
    expect(looks).toBe(64);
  });
});
