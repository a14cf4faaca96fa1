import { expect, test } from '@jest/globals';
import { FairQueue } from '../../../bench/scale/seats/fairQueue.ts';
import { inVirtualTime } from '../../../bench/scale/virtualTime.ts';
import type { ChunkMessage } from '../../../shared/domain/messages.ts';

const messageOf = (org_id: string, chunk: number): ChunkMessage => ({
  ...{ kind: 'chunk', org_id, run_id: `run of ${org_id}`, chunk, waits: 0, held: 0 },
});
const backlogOf = (org: string, messages: number): ChunkMessage[] =>
  Array.from({ length: messages }, (_, chunk) => messageOf(org, chunk));

/** How long a quiet message waits behind these backlogs, each of whose messages takes a minute; and the most at once. */
const waitBehind = (backlogs: readonly ChunkMessage[][], evaluators: number) =>
  inVirtualTime('fair queue', 1, async (sim) => {
    let atOnce = 0;
    let mostAtOnce = 0;
    const { promise, resolve } = Promise.withResolvers<number>();
    const queue = new FairQueue(sim, {
      evaluators,
      handle: async ({ org_id }) => {
        if (org_id === 'quiet') return resolve(sim.elapsedMs);
        mostAtOnce = Math.max(mostAtOnce, ++atOnce);
        await sim.sleep(60_000);
        atOnce--;
      },
    });
    for (const backlog of backlogs) void queue.send(backlog);
    await sim.sleep(30_000);
    await queue.send([messageOf('quiet', 0)]);
    return { quietMs: (await promise) - 30_000, mostAtOnce };
  });

test('a quiet message is delivered before those of a backlog that is noisy, and after those of many that are not', async () => {
  const one = await waitBehind([backlogOf('loud', 1_000)], 100);
  expect(one.quietMs).toBeLessThan(31_000);
  const twenty = Array.from({ length: 20 }, (_, org) => backlogOf(`loud ${org}`, 50));
  expect((await waitBehind(twenty, 100)).quietMs).toBeGreaterThan(60_000);
});

test('no more messages are handled at once than there are evaluators', async () => {
  expect((await waitBehind([backlogOf('loud', 200)], 40)).mostAtOnce).toBe(40);
});

test('a delayed message is not delivered before its time', async () => {
  const atMs = await inVirtualTime('delay', 1, async (sim) => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const queue = new FairQueue(sim, { evaluators: 1, handle: async () => resolve(sim.elapsedMs) });
    await queue.send([messageOf('any', 0)], 30);
    return promise;
  });
  expect(atMs).toBeGreaterThanOrEqual(30_000);
  expect(atMs).toBeLessThan(31_000);
});
