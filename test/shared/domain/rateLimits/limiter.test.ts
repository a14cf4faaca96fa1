import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RATE_LIMITS, type Standing } from '../../../../shared/domain/rateLimits.ts';
import { rateLimitKey } from '../../../../shared/storage/table/keys.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
import { functionWith, mostInAnyWindow, SMALL_LIMITS } from './functions.ts';

const FUNCTIONS = 4;
const { requests: LIMIT, windowMs: WINDOW_MS } = SMALL_LIMITS.general;

const memory = new MemoryTable(Date.now);

interface Burst {
  readonly afterMs: number;
  /** The function that each request of the burst meets. */
  readonly functions: readonly number[];
}

const bursts: fc.Arbitrary<Burst[]> = fc.array(
  fc.record({
    afterMs: fc.oneof(fc.nat(20), fc.nat(20_000), fc.nat(150_000)),
    functions: fc.array(fc.nat(FUNCTIONS - 1), { minLength: 1, maxLength: 12 }),
  }),
  { minLength: 1, maxLength: 12 },
);

const T0 = Date.parse('2030-01-01T00:00:00Z');

/** Several functions with clocks that are off by so much meet the requests of one fresh address. */
async function play(given: readonly Burst[], skewsMs: readonly number[], tickMs: number) {
  const address = randomUUID();
  const clock = { ms: T0 };
  const tick = () => {
    clock.ms += tickMs;
    return clock.ms;
  };
  const functions = Array.from({ length: FUNCTIONS }, (_, index) =>
    functionWith(memory, () => tick() + (skewsMs[index] ?? 0), SMALL_LIMITS),
  );
  const count = async (index: number) => {
    const standing = (await functions[index]?.limiter.count('general', address)) as Standing;
    return { standing, at: clock.ms };
  };
  const answers: Awaited<ReturnType<typeof count>>[] = [];
  for (const burst of given) {
    clock.ms += burst.afterMs;
    answers.push(...(await Promise.all(burst.functions.map(count))));
  }
  expect(functions.flatMap(({ failures }) => failures)).toEqual([]);
  const accepted = answers.filter(({ standing }) => standing.accepted);
  const recorded = functions.flatMap((one) => one.recorded);
  expect(recorded).toHaveLength(accepted.length);
  return { answers, accepted, recorded, clock, count };
}

const NO_SKEW = [0, 0, 0, 0];
const RUNS = { numRuns: 25 };

test('no window of any start holds more requests than the limit, though the clocks of the functions differ and time goes on during writes', async () => {
  const skews = fc.tuple(...NO_SKEW.map(() => fc.integer({ min: -2_000, max: 2_000 })));
  await fc.assert(
    fc.asyncProperty(bursts, skews, async (given, skewsMs) => {
      const { recorded, accepted } = await play(given, skewsMs, 3);
      expect(mostInAnyWindow(recorded, WINDOW_MS)).toBeLessThanOrEqual(LIMIT);
      // By a true clock a window can be shorter by how far two clocks are apart, and by the time of the writes.
      const times = accepted.map(({ at }) => at);
      expect(mostInAnyWindow(times, WINDOW_MS - 4_000 - 1_000)).toBeLessThanOrEqual(LIMIT);
    }),
    RUNS,
  );
});

test('the first requests of a fresh address all pass, on whichever functions they meet at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(FUNCTIONS - 1), { minLength: 1, maxLength: 30 }), async (functions) => {
      const { accepted } = await play([{ afterMs: 0, functions }], NO_SKEW, 0);
      expect(accepted).toHaveLength(Math.min(functions.length, LIMIT));
    }),
    RUNS,
  );
});

test('after the seconds that a refusal names a request passes in every function, if no other came before', async () => {
  let refusals = 0;
  await fc.assert(
    fc.asyncProperty(bursts, fc.nat(FUNCTIONS - 1), async (given, index) => {
      const { clock, count } = await play(given, NO_SKEW, 0);
      const { standing } = await count(index);
      if (standing.accepted) return;
      refusals++;
      clock.ms += standing.resetSeconds * 1_000;
      expect((await count((index + 1) % FUNCTIONS)).standing.accepted).toBe(true);
    }),
    RUNS,
  );
  expect(refusals).toBeGreaterThan(0);
});

test('refused requests count nothing: a client that never stops gets exactly its limit', async () => {
  const hammered = Array.from({ length: 240 }, (_, index) => ({
    afterMs: 1_000,
    functions: [index % FUNCTIONS],
  }));
  const { accepted } = await play(hammered, NO_SKEW, 0);
  expect(accepted).toHaveLength(LIMIT * 4);
});

test('remaining counts down to 0, and reset states when the oldest request leaves', async () => {
  const address = randomUUID();
  const clock = { ms: T0 };
  const { limiter } = functionWith(memory, () => clock.ms, SMALL_LIMITS);
  expect(limiter.look('general', address)).toEqual({ accepted: true, remaining: LIMIT, resetSeconds: 0 });
  for (let nth = 1; nth <= LIMIT; nth++) {
    const resetSeconds = WINDOW_MS / 1_000 - (nth - 1) * 5;
    const standing = { accepted: true, remaining: LIMIT - nth, resetSeconds };
    expect(await limiter.count('general', address)).toEqual(standing);
    clock.ms += 5_000;
  }
  const refused = { accepted: false, remaining: 0, resetSeconds: WINDOW_MS / 1_000 - LIMIT * 5 };
  expect(await limiter.count('general', address)).toEqual(refused);
});

test('requests that share a write each have their own remaining', async () => {
  const { limiter } = functionWith(memory, () => T0, SMALL_LIMITS);
  const address = randomUUID();
  const standings = await Promise.all(Array.from({ length: 9 }, () => limiter.count('general', address)));
  expect(standings.map(({ remaining }) => remaining)).toEqual([5, 4, 3, 2, 1, 0, 0, 0, 0]);
  expect(standings.map(({ accepted }) => accepted)).toEqual([...Array(6).fill(true), false, false, false]);
});

test('classes and addresses are counted apart', async () => {
  const { limiter } = functionWith(memory, () => T0, SMALL_LIMITS);
  const [one, other] = [randomUUID(), randomUUID()];
  for (let nth = 0; nth < 4; nth++) await limiter.count('auth', one);
  expect(limiter.look('auth', one).accepted).toBe(false);
  expect((await limiter.count('general', one)).remaining).toBe(LIMIT - 1);
  expect((await limiter.count('auth', other)).accepted).toBe(true);
});

test('a clock that was ahead by hours and is set right refuses no address afterwards', async () => {
  const address = randomUUID();
  const clock = { ms: T0 + 5 * 3_600_000 };
  const [one, other] = [0, 1].map(() => functionWith(memory, () => clock.ms, SMALL_LIMITS).limiter);
  for (let nth = 0; nth < 2 * LIMIT; nth++) {
    await one?.count('general', address);
    clock.ms += 15_000;
  }
  clock.ms = T0;
  const standings = [];
  for (let nth = 0; nth < LIMIT + 1; nth++)
    standings.push(await (nth % 2 ? one : other)?.count('general', address));
  expect(standings.map((standing) => standing?.accepted)).toEqual([...Array(LIMIT).fill(true), false]);
  expect(standings.at(-1)?.resetSeconds).toBe(WINDOW_MS / 1_000);
});

/** An address of the longest name, at a steady rate, in turn on so many functions: the writes, of which each costs a unit. */
async function steady({ perMinute, functionsCount = 1 }: { perMinute: number; functionsCount?: number }) {
  const clock = { ms: T0 };
  const from = 'ffff:'.repeat(4).slice(0, -1) + randomUUID().slice(0, 4);
  const functions = Array.from({ length: functionsCount }, () =>
    functionWith(memory, () => clock.ms, RATE_LIMITS),
  );
  let accepted = 0;
  for (let nth = 0; nth < 200; nth++) {
    clock.ms = T0 + Math.floor((nth * 60_000) / perMinute);
    if ((await functions[nth % functionsCount]?.limiter.count('general', from))?.accepted) accepted++;
  }
  const { pk, sk } = rateLimitKey('general', from);
  const item = memory.items().find((one) => one.pk === pk && one.sk === sk);
  expect(sizeOf(item)).toBeLessThanOrEqual(1_024);
  return { accepted, writes: functions.reduce((sum, one) => sum + one.writes(), 0) };
}

/** As DynamoDB counts items of texts, numbers and lists of them. */
function sizeOf(value: unknown): number {
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 1;
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + 1 + sizeOf(one), 3);
  if (typeof value !== 'object' || value === null) return Buffer.byteLength(String(value));
  return Object.entries(value).reduce((sum, [name, one]) => sum + name.length + sizeOf(one), 0);
}

test.each([100, 150, 6_000])(
  'at %d requests a minute each that is accepted costs one write unit, and a refused one none',
  async (perMinute) => {
    const { accepted, writes } = await steady({ perMinute });
    expect(writes).toBe(accepted);
    expect(accepted === 200).toBe(perMinute <= 100);
  },
);

test.each([
  [10, 1.05],
  [95, 1.4],
  [600, 1],
])('at %d requests a minute on 8 functions each costs at most %f write units', async (perMinute, units) => {
  const { writes } = await steady({ perMinute, functionsCount: 8 });
  expect(writes / 200).toBeLessThanOrEqual(units);
});

test('requests that come together share writes', async () => {
  const one = functionWith(memory, () => T0, RATE_LIMITS);
  const from = randomUUID();
  await Promise.all(Array.from({ length: 130 }, () => one.limiter.count('general', from)));
  expect(one.recorded).toHaveLength(100);
  expect(one.writes()).toBeLessThanOrEqual(3);
});
