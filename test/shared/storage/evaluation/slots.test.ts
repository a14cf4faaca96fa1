import { beforeEach, expect, test } from '@jest/globals';
import type { Provider } from '../../../../shared/domain/byok/providers.ts';
import type { SlotStore } from '../../../../shared/domain/evaluation/slots/ports.ts';
import { slotStore } from '../../../../shared/storage/evaluation/slots.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';

const SLOTS = 20;

const memory = new MemoryTable(Date.now);

const clock = { ms: 0 };
let slots: SlotStore;
let orgId: string;
let organisations = 0;
beforeEach(() => {
  clock.ms = Date.now();
  slots = slotStore(memory, () => clock.ms);
  orgId = `organisation-${++organisations}`;
});

const takeOne = async (holder: string, provider: Provider = 'openai', org = orgId) =>
  (await slots.take(org, provider, [holder]))[0]?.slot;

/** Each taking has a name of its own, and `<holder>-<slot>` stands for the one that got the slot. */
const holders = new Map<string, string>();
let takings = 0;
const takeAtOnce = (count: number, holder = 'holder') =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const taking = `${holder} ${++takings}`;
      const slot = await takeOne(taking);
      if (slot !== undefined) holders.set(`${holder}-${slot}`, taking);
      return slot;
    }),
  );
const holderOf = (slot: number, holder = 'holder'): string => holders.get(`${holder}-${slot}`) ?? 'nobody';

const numbers = (taken: readonly (number | undefined)[]): number[] =>
  taken.filter((slot) => slot !== undefined).toSorted((a, b) => a - b);

const ALL = Array.from({ length: SLOTS }, (_, slot) => slot);

const namesOf = (count: number, who: string) =>
  Array.from({ length: count }, (_, index) => `${who} ${index}`);

test('a function that takes several slots gets as many as are free, each under a name of its own', async () => {
  const leases = await slots.take(orgId, 'openai', namesOf(15, 'first'));
  const more = await slots.take(orgId, 'openai', namesOf(15, 'second'));
  expect(more).toHaveLength(SLOTS - 15);
  const all = [...leases, ...more];
  expect(numbers(all.map(({ slot }) => slot))).toEqual(ALL);
  expect(new Set(all.map(({ holder }) => holder)).size).toBe(SLOTS);
  for (const { slot, holder } of all) expect(await slots.renew(orgId, 'openai', slot, holder)).toBe(true);
  expect(await slots.take(orgId, 'openai', namesOf(3, 'late'))).toEqual([]);
});

test('functions that take several slots at once share them, and no slot goes to two', async () => {
  const taken = await Promise.all(
    namesOf(6, 'function').map((who) => slots.take(orgId, 'openai', namesOf(7, who))),
  );
  const all = taken.flat();
  expect(numbers(all.map(({ slot }) => slot))).toEqual(ALL);
  for (const { slot, holder } of all) expect(await slots.renew(orgId, 'openai', slot, holder)).toBe(true);
});

test('a slot given back is the one that is free', async () => {
  await takeAtOnce(SLOTS);
  await slots.release(orgId, 'openai', 7, holderOf(7));
  expect(numbers(await takeAtOnce(3))).toEqual([7]);
});

test('only its holder gives a slot back or keeps it', async () => {
  await takeAtOnce(SLOTS);
  await slots.release(orgId, 'openai', 7, 'somebody');
  expect(await slots.renew(orgId, 'openai', 7, 'somebody')).toBe(false);
  expect(await slots.renew(orgId, 'openai', 7, holderOf(7))).toBe(true);
  expect(await takeOne('late')).toBeUndefined();
});

test("the slots of a holder that died are free after their lease, and it can't renew one that another took", async () => {
  await takeAtOnce(SLOTS, 'dead');
  clock.ms += 125_000;
  expect(await takeOne('late')).toBeUndefined();
  expect(await slots.renew(orgId, 'openai', 3, holderOf(3, 'dead'))).toBe(true);
  clock.ms += 10_000;
  expect(numbers(await takeAtOnce(SLOTS, 'alive'))).toEqual(ALL.filter((slot) => slot !== 3));
  expect(await slots.renew(orgId, 'openai', 5, holderOf(5, 'dead'))).toBe(false);
});

test('organisations and providers do not share slots', async () => {
  await takeAtOnce(SLOTS);
  expect(await takeOne('holder', 'anthropic')).toBeDefined();
  expect(await takeOne('holder', 'openai', `${orgId}-other`)).toBeDefined();
});

test('two evaluators have a seat at a provider, whatever its slots are used for', async () => {
  await takeAtOnce(SLOTS);
  const names = ['first', 'second', 'third'];
  const seats = await Promise.all(names.map((name) => slots.take(orgId, 'seats:openai', [name])));
  const taken = seats.flat();
  expect(numbers(taken.map(({ slot }) => slot))).toEqual([0, 1]);
  expect(await slots.countTaken(orgId, 'seats:openai')).toBe(2);
  expect(await slots.take(orgId, 'seats:anthropic', ['first'])).toHaveLength(1);
  for (const { slot, holder } of taken) await slots.release(orgId, 'seats:openai', slot, holder);
  expect(await slots.countTaken(orgId, 'seats:openai')).toBe(0);
  expect(await slots.countTaken(orgId, 'openai')).toBe(SLOTS);
});
