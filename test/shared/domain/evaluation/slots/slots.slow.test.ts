import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createSlots } from '../../../../../shared/domain/evaluation/slots/slots.ts';
import { slotStore } from '../../../../../shared/storage/evaluation/slots.ts';
import { NO_FAULTS } from '../../../../faults/processes.ts';
import { MemoryTable } from '../../../../support/memory/memoryTable.ts';
import '../../../../support/seed.ts';
import { Lanes } from '../lanes.ts';

const SLOTS = 20;
const LOOKS_IN_VAIN = 4;

const memory = new MemoryTable(Date.now);

const repeat = <T>(count: number, act: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => act(index));

test('while others hold every slot, one look at the table is made for all calls that wait in a function', async () => {
  const lanes = new Lanes(memory, 'taken');
  await lanes.occupy(SLOTS);
  const call = lanes.start('waiting');
  const outcomes = await lanes.play(Promise.all(repeat(200, () => call(() => 1_000))));
  expect(new Set(outcomes)).toEqual(new Set(['no_slot']));
  expect(lanes.looks).toBeLessThanOrEqual(LOOKS_IN_VAIN);
});

test('calls that begin together find their slots in one look', async () => {
  const lanes = new Lanes(memory, 'together');
  const call = lanes.start('one chunk');
  const outcomes = await lanes.play(Promise.all(repeat(SLOTS, () => call(() => 1_000))));
  expect(new Set(outcomes)).toEqual(new Set(['called']));
  expect(lanes.inFlightMax).toBe(SLOTS);
  expect(lanes.looks).toBe(1);
});

test.each([
  ['3 s, five of them one after the other in each slot', 100, 3_000, 2 * SLOTS],
  ['40 s, two of them one after the other: the slot is released between them', 40, 40_000, 4 * SLOTS],
])(
  'a slot passes from call to call without a write, but every 30 s: calls of %s',
  async (_what, calls, callMs, writes) => {
    const lanes = new Lanes(memory, `economy ${callMs}`);
    const call = lanes.start('one chunk');
    const outcomes = await lanes.play(Promise.all(repeat(calls, () => call(() => callMs))));
    expect(new Set(outcomes)).toEqual(new Set(['called']));
    expect(lanes.inFlightMax).toBe(SLOTS);
    expect(lanes.writes).toBe(writes);
  },
);

test('while both seats are taken, a function gives slots back until each has half of them; a lone one keeps all', async () => {
  const endOf = async (seats: number) => {
    const lanes = new Lanes(memory, `shared ${seats}`);
    await lanes.occupy(seats, 'seats:openai');
    const [first, second] = [lanes.start('first'), lanes.start('second')];
    const backlog = Promise.all(repeat(200, () => first(() => 3_000)));
    await lanes.play(lanes.sim.sleep(4_000));
    const fromMs = lanes.sim.now();
    const outcomes = await lanes.play(Promise.all(repeat(30, () => second(() => 3_000))));
    const tookMs = lanes.sim.now() - fromMs;
    await lanes.play(backlog);
    expect(lanes.inFlightMax).toBe(SLOTS);
    return { outcomes: new Set(outcomes), tookMs };
  };
  const shared = await endOf(2);
  expect(shared.outcomes).toEqual(new Set(['called']));
  // Three rounds of ten calls, and some seconds until the first function has given its slots back.
  expect(shared.tookMs).toBeLessThan(16_000);
  expect((await endOf(1)).outcomes).toEqual(new Set(['no_slot']));
});

/** As a chunk that was put back: a call without a slot comes again. */
async function insist(lanes: Lanes, call: () => Promise<'called' | 'no_slot' | 'failed'>): Promise<string> {
  for (;;) {
    const outcome = await call();
    if (outcome !== 'no_slot') return outcome;
    await lanes.sim.sleep(8_000);
  }
}

test('under a backlog of three functions at least 15 calls of 20 are under way, all are made in the end, and each costs 2 looks at most', async () => {
  const lanes = new Lanes(memory, 'backlog');
  const startedMs = lanes.sim.now();
  const functions = repeat(3, (index) => lanes.start(`function ${index}`));
  const callMs = () => lanes.sim.random.int(500, 3_000);
  const calls = functions.flatMap((call) => repeat(100, () => insist(lanes, () => call(callMs))));
  expect(new Set(await lanes.play(Promise.all(calls)))).toEqual(new Set(['called']));
  expect(lanes.inFlightMax).toBe(SLOTS);
  expect(lanes.callMs / (lanes.sim.now() - startedMs)).toBeGreaterThanOrEqual(15);
  expect(lanes.looks / calls.length).toBeLessThanOrEqual(2);
});

test('calls of a function without a seat at the provider are made within 2 min, though two with a seat have work for all slots', async () => {
  const lanes = new Lanes(memory, 'without a seat');
  const { sim } = lanes;
  const callMs = () => sim.random.int(1_000, 5_000);
  let isOver = false;
  const backlog = ['first', 'second'].flatMap((name) => {
    const call = lanes.start(name);
    return repeat(40, async () => {
      while (!isOver) await insist(lanes, () => call(callMs));
    });
  });
  const keepSeats = async () => {
    for (; !isOver; await sim.sleep(130_000)) await lanes.occupy(2, 'seats:openai');
  };
  const seats = keepSeats();
  await lanes.play(sim.sleep(60_000));
  const [fromMs, callMsBefore] = [sim.now(), lanes.callMs];
  const unseated = lanes.start('unseated');
  await lanes.play(Promise.all(repeat(50, () => insist(lanes, () => unseated(callMs)))));
  const tookMs = sim.now() - fromMs;
  expect(tookMs).toBeLessThan(120_000);
  expect((lanes.callMs - callMsBefore) / tookMs).toBeGreaterThanOrEqual(15);
  isOver = true;
  await lanes.play(Promise.all([...backlog, seats]));
  expect(lanes.inFlightMax).toBe(SLOTS);
});

test('a call that a check refuses is not made, no later check is run, and its slot is free again', async () => {
  const slots = slotStore(memory, Date.now);
  const deps = { slots, now: Date.now, newId: randomUUID, sleep: async () => {}, random: () => 0.5 };
  const orgId = randomUUID();
  const done: string[] = [];
  const passes = (name: string) => async () => {
    done.push(name);
    return undefined;
  };
  const slotted = await createSlots(deps)(orgId, 'openai', {
    beforeCall: [passes('first'), async () => 'key_revoked', passes('third')],
    call: async () => done.push('call'),
  });
  expect(slotted).toEqual({ kind: 'not_made', why: 'key_revoked' });
  expect(done).toEqual(['first']);
  expect(
    await slots.take(
      orgId,
      'openai',
      repeat(SLOTS, () => randomUUID()),
    ),
  ).toHaveLength(SLOTS);
});

test('slots that others give back are used by the calls that wait behind calls under way', async () => {
  const lanes = new Lanes(memory, 'given back');
  const refund = await lanes.occupy(SLOTS - 1);
  const call = lanes.start('one slot');
  const calls = Promise.all(repeat(60, () => call(() => 1_000)));
  lanes.sim.after(2_500, 'the others are done', refund);
  await lanes.play(calls);
  expect(lanes.inFlightMax).toBe(SLOTS);
});

test('no call waits for the calls before it much longer than a minute', async () => {
  const lanes = new Lanes(memory, 'slow');
  const call = lanes.start('slow');
  const calls = repeat(200, async () => {
    const sinceMs = lanes.sim.now();
    const outcome = await call(() => 40_000);
    return { outcome, ms: lanes.sim.now() - sinceMs };
  });
  const ended = await lanes.play(Promise.all(calls));
  const waited = ended.map(({ outcome, ms }) => (outcome === 'called' ? ms - 40_000 : ms));
  expect(Math.max(...waited)).toBeLessThan(60_000 + 45_000);
  expect(ended.filter(({ outcome }) => outcome === 'called').length).toBeGreaterThanOrEqual(2 * SLOTS);
  expect(new Set(ended.map(({ outcome }) => outcome))).toEqual(new Set(['called', 'no_slot']));
});

test('never more than 20 calls are under way under faults, and every call is made or refused', async () => {
  let name = 0;
  const run = fc.record({
    seed: fc.integer({ min: 1, max: 1_000_000 }),
    functions: fc.integer({ min: 1, max: 4 }),
    calls: fc.integer({ min: 1, max: 40 }),
    callMs: fc.constantFrom(50, 2_000, 30_000),
    throttled: fc.constantFrom(0, 0.05, 0.3),
    ambiguous: fc.constantFrom(0, 0.05),
    slow: fc.constantFrom(0, 0.2),
  });
  const holds = fc.asyncProperty(run, async ({ seed, functions, calls, callMs, ...faults }) => {
    const lanes = new Lanes(memory, `any ${++name}`, seed, { ...NO_FAULTS, ...faults });
    const made = repeat(functions, (index) => lanes.start(`function ${index}`)).flatMap((call) =>
      repeat(calls, () => call(() => callMs)),
    );
    await lanes.play(Promise.all(made));
    expect(lanes.inFlightMax).toBeLessThanOrEqual(SLOTS);
  });
  await fc.assert(holds, { numRuns: 15 });
});
