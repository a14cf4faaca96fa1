import { beforeEach, expect, test } from '@jest/globals';
import { createSeats, type Seats } from '../../../../../shared/domain/evaluation/slots/seats.ts';
import { slotStore } from '../../../../../shared/storage/evaluation/slots.ts';
import { MemoryTable } from '../../../../support/memory/memoryTable.ts';

const LEASE_MS = 130_000;
const HEARTBEAT_MS = 30_000;

const clock = { ms: 0 };
const now = () => clock.ms;
let table: MemoryTable;
let names = 0;
beforeEach(() => {
  clock.ms = Date.parse('2026-05-05T10:00:00.000Z');
  table = new MemoryTable(now);
});

/** The seats as seen by a function of its own. */
const startFunction = (): Seats =>
  createSeats({ slots: slotStore(table, now), now, newId: () => `name ${++names}` });
const takeAt = (provider: 'openai' | 'anthropic') => (seats: Seats) =>
  seats.take('an organisation', provider);
const functions = (count: number): Seats[] => Array.from({ length: count }, startFunction);

test('of several functions two get a seat at a provider; one that is released goes to the next', async () => {
  const taken = await Promise.all(functions(5).map(takeAt('openai')));
  const seats = taken.filter((seat) => seat !== undefined);
  expect(seats).toHaveLength(2);
  const late = startFunction();
  expect(await takeAt('openai')(late)).toBeUndefined();
  expect(await takeAt('anthropic')(late)).toBeDefined();
  expect(await late.take('another organisation', 'openai')).toBeDefined();
  await seats[0]?.release();
  expect(await takeAt('openai')(late)).toBeDefined();
  expect(await takeAt('openai')(startFunction())).toBeUndefined();
});

test('a function has one seat for all of its chunks, until the last of them is done', async () => {
  const [one, other, third] = functions(3) as [Seats, Seats, Seats];
  const chunks = await Promise.all(Array.from({ length: 10 }, () => takeAt('openai')(one)));
  expect(chunks.every((seat) => seat !== undefined)).toBe(true);
  expect(await takeAt('openai')(other)).toBeDefined();
  for (const chunk of chunks) {
    expect(await takeAt('openai')(third)).toBeUndefined();
    await chunk?.release();
  }
  expect(await takeAt('openai')(third)).toBeDefined();
});

test('a seat that is kept with every heartbeat stays; without them it goes to another, and no call may begin on it', async () => {
  const [alive, dead, next] = functions(3) as [Seats, Seats, Seats];
  const kept = await takeAt('openai')(alive);
  const lost = await takeAt('openai')(dead);
  for (let ms = 0; ms <= LEASE_MS; ms += HEARTBEAT_MS) {
    expect(await takeAt('openai')(next)).toBeUndefined();
    clock.ms += HEARTBEAT_MS;
    await kept?.keep();
  }
  expect(await takeAt('openai')(next)).toBeDefined();
  expect([await kept?.ensureKept(), await lost?.ensureKept()]).toEqual([true, false]);
  await lost?.release();
  expect(await takeAt('openai')(startFunction())).toBeUndefined();
});

test('a seat that was not renewed for a while is renewed before the next call, unless another function took it', async () => {
  const seat = await takeAt('openai')(startFunction());
  clock.ms += LEASE_MS - 1_000;
  expect(await seat?.ensureKept()).toBe(true);
  clock.ms += LEASE_MS - 1_000;
  await takeAt('openai')(startFunction());
  expect(await takeAt('openai')(startFunction())).toBeUndefined();
});

test('after a failure of the table no seat is held', async () => {
  const slots = slotStore(table, now);
  const take = () => Promise.reject(new Error('throttled'));
  const failing = createSeats({ slots: { ...slots, take }, now, newId: () => `name ${++names}` });
  await expect(takeAt('openai')(failing)).rejects.toThrow('throttled');
  const both = await Promise.all(functions(2).map(takeAt('openai')));
  expect(both.every((seat) => seat !== undefined)).toBe(true);
});
