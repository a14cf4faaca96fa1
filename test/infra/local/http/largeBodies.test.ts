import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import {
  createLargeBodies,
  WAIT_MS_MAX,
  WAITING_MAX,
  WAITING_OF_ONE_MAX,
} from '../../../../infra/local/http/largeBodies.ts';

/** Time passes where the test says so. */
function aQueue() {
  const state = { nowMs: 0, open: 0, openMost: 0, read: 0, pauses: [] as number[] };
  const bodies = createLargeBodies(
    () => state.nowMs,
    async (ms) => {
      state.pauses.push(ms);
      state.nowMs += ms;
    },
  );
  const packed = gzipSync(Buffer.alloc(32 * 1_048_576));
  return {
    state,
    bodies,
    /** The status of the request. */
    async send(credential: string, tookMs = 1_000): Promise<number> {
      try {
        const end = await bodies.turnOf(packed, true, credential)?.();
        state.openMost = Math.max(state.openMost, ++state.open);
        await Promise.resolve();
        state.nowMs += tookMs;
        state.read++;
        state.open--;
        end?.();
        return 200;
      } catch (error) {
        return (error as { status: number }).status;
      }
    },
  };
}

test('of 20 bodies that unpack to 32 MB one is read at a time, and as much time as it took is left to other requests', async () => {
  const { state, send } = aQueue();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => send(`key ${index % 4}`, 100 + index)),
  );
  expect(answers).toEqual(answers.map(() => 200));
  expect([state.openMost, state.read]).toEqual([1, 20]);
  expect(state.pauses).toEqual(answers.map((_, index) => 100 + index));
});

test('a credential has at most 8 bodies waiting, all together 24, and those beyond get a 429 at once', async () => {
  const { state, send } = aQueue();
  const one = Array.from({ length: WAITING_OF_ONE_MAX + 5 }, () => send('one', 1));
  const others = Array.from({ length: WAITING_MAX }, (_, index) => send(`key ${index}`, 1));
  expect((await Promise.all(one)).filter((status) => status === 429)).toHaveLength(5);
  expect((await Promise.all(others)).filter((status) => status === 429)).toHaveLength(WAITING_OF_ONE_MAX);
  expect(state.read).toBe(WAITING_MAX);
  expect(await send('one')).toBe(200);
});

test('a body whose turn comes too late is a 429, and does not hold up the next one', async () => {
  const { state, send } = aQueue();
  const answers = await Promise.all([send('a', WAIT_MS_MAX + 1), send('b'), send('c')]);
  expect(answers).toEqual([200, 429, 429]);
  expect(state.read).toBe(1);
  expect(await send('d')).toBe(200);
});

test('a small body waits for none, packed or not', () => {
  const { turnOf } = aQueue().bodies;
  expect(turnOf(Buffer.alloc(200_000), false, 'one')).toBeUndefined();
  expect(turnOf(gzipSync('{}'), true, 'one')).toBeUndefined();
  expect(turnOf(Buffer.alloc(300_000), false, 'one')).toBeDefined();
});
