import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { planWrite, type RateLimit, standingOf } from '../../../../shared/domain/rateLimits.ts';
import { mostInAnyWindow } from './functions.ts';

const LIMIT: RateLimit = { requests: 5, windowMs: 1_000 };

const arrivals = fc.array(
  fc.record({
    afterMs: fc.oneof(fc.nat(3), fc.nat(400), fc.nat(3_000)),
    wanted: fc.integer({ min: 1, max: 9 }),
  }),
  { maxLength: 60 },
);

/** Plays arrivals against one who knows all that was accepted. */
function play(given: readonly { afterMs: number; wanted: number }[]) {
  let now = 1_000_000;
  let known: readonly number[] = [];
  const accepted: number[] = [];
  for (const { afterMs, wanted } of given) {
    now += afterMs;
    const write = planWrite(LIMIT, known, now, wanted);
    if (write === undefined) continue;
    const added = Array<number>(write.count).fill(write.at);
    accepted.push(...added);
    known = write.instead ?? [...known, ...added];
    expect(known.length).toBeLessThanOrEqual(LIMIT.requests);
  }
  return { now, known, accepted };
}

test('no window of any start holds more accepted requests than the limit', () => {
  fc.assert(
    fc.property(arrivals, (given) => {
      expect(mostInAnyWindow(play(given).accepted, LIMIT.windowMs)).toBeLessThanOrEqual(LIMIT.requests);
    }),
  );
});

test('a request is refused only while the window that ends with it is full', () => {
  fc.assert(
    fc.property(arrivals, (given) => {
      const { known, now, accepted } = play(given);
      const inWindow = accepted.filter((time) => time > now - LIMIT.windowMs).length;
      expect(planWrite(LIMIT, known, now, 99)?.count ?? 0).toBe(LIMIT.requests - inWindow);
      expect(standingOf(LIMIT, known, now).remaining).toBe(LIMIT.requests - inWindow);
    }),
  );
});

test('a refused address is accepted after the named seconds, and not a whole second before', () => {
  fc.assert(
    fc.property(arrivals, (given) => {
      const { known, now } = play(given);
      const { accepted, resetSeconds } = standingOf(LIMIT, known, now);
      fc.pre(!accepted);
      expect(resetSeconds).toBeGreaterThanOrEqual(1);
      expect(planWrite(LIMIT, known, now + resetSeconds * 1_000, 1)).toBeDefined();
      expect(planWrite(LIMIT, known, now + (resetSeconds - 1) * 1_000 - 1, 1)).toBeUndefined();
    }),
  );
});

test('a clock that is behind the kept times uses the newest of them', () => {
  expect(planWrite(LIMIT, [5_000, 5_400], 4_600, 1)).toEqual({ at: 5_400, count: 1 });
  const known = [4_400, 5_400, 5_400, 5_400, 5_400];
  expect(standingOf(LIMIT, known, 4_600)).toEqual({ accepted: true, remaining: 1, resetSeconds: 2 });
});

test('times further ahead than a window are dropped', () => {
  expect(planWrite(LIMIT, [3_900, 9_000], 4_000, 2)).toEqual({
    at: 4_000,
    count: 2,
    instead: [3_900, 4_000, 4_000],
  });
  expect(standingOf(LIMIT, Array(5).fill(9_000), 4_000)).toMatchObject({ accepted: true, remaining: 5 });
});
