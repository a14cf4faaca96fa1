import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { RATE_LIMITS } from '../../../../shared/domain/rateLimits.ts';
import { type EngineTable, startEngineTable } from '../../../support/ownService.ts';
import { functionWith } from './functions.ts';

let own: EngineTable;
beforeAll(async () => {
  own = await startEngineTable();
});
afterAll(() => own.stop());

/** The longest name an address can have. */
const address = (): string =>
  ['ffff', ...randomUUID().split('-').slice(1, 4)].map((part) => part.replace(/^0/, '1')).join(':');

const START = Date.parse('2030-01-01T00:00:00Z');

/** Requests at a steady rate, in turn on so many functions. */
async function steady({ requests = 200, perMinute = 60, functionsCount = 1 }) {
  const clock = { ms: START };
  const functions = Array.from({ length: functionsCount }, () =>
    functionWith(own.table, () => clock.ms, RATE_LIMITS),
  );
  const from = address();
  const before = own.table.consumed();
  let accepted = 0;
  for (let nth = 0; nth < requests; nth++) {
    clock.ms = START + Math.floor((nth * 60_000) / perMinute);
    const standing = await functions[nth % functionsCount]?.limiter.count('general', from);
    if (standing?.accepted) accepted++;
  }
  const after = own.table.consumed();
  // A write whose condition fails costs its units too, which the engine does not tell.
  const writes = functions.reduce((sum, one) => sum + one.writes(), 0);
  return { accepted, writes, read: after.read - before.read, write: after.write - before.write };
}

test('at 100 requests a minute each costs one write unit and no read unit', async () => {
  const cost = await steady({ perMinute: 100 });
  expect(cost).toEqual({ accepted: 200, writes: 200, read: 0, write: 200 });
});

test.each([150, 6_000])('at %i requests a minute those that are refused cost nothing', async (perMinute) => {
  const { accepted, writes, read, write } = await steady({ perMinute });
  expect(accepted).toBeLessThan(200);
  expect({ writes, read, write }).toEqual({ writes: accepted, read: 0, write: accepted });
});

describe('on 8 functions that do not know of each other', () => {
  test.each([
    [10, 1.05],
    [95, 1.4],
    [600, 1],
  ])('at %i requests a minute each costs at most %f write units', async (perMinute, units) => {
    const requests = 200;
    const { writes, read, write } = await steady({ requests, perMinute, functionsCount: 8 });
    expect(writes / requests).toBeLessThanOrEqual(units);
    expect(read).toBe(0);
    expect(write).toBeLessThanOrEqual(writes);
  });
});

test('requests that come together share writes', async () => {
  const one = functionWith(own.table, () => 1_900_000_000_000, RATE_LIMITS);
  const from = address();
  await Promise.all(Array.from({ length: 130 }, () => one.limiter.count('general', from)));
  expect(one.recorded).toHaveLength(100);
  expect(one.writes()).toBeLessThanOrEqual(3);
});
