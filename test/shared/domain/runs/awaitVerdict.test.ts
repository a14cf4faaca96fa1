import { expect, test } from '@jest/globals';
import { awaitVerdict } from '../../../../shared/domain/runs/awaitVerdict.ts';
import type { RunStore, StoredRun } from '../../../../shared/domain/runs/ports.ts';
import type { Revisions } from '../../../../shared/domain/suites/chains/chains.ts';

/** A run without results reads no bar. */
const NO_CHAINS = {} as Revisions;

const run = { id: 'run_1', status: 'pending' } as StoredRun;

/** Time that passes by waiting only. */
function clock() {
  let ms = 0;
  return {
    now: () => ms,
    sleep: async (wait: number, until?: AbortSignal) => {
      if (until === undefined) ms += wait;
      else await new Promise((resolve) => until.addEventListener('abort', resolve));
    },
  };
}

test('a look that fails loses nothing: the verdict comes with the next one', async () => {
  let looks = 0;
  const runs = {
    find: async () => {
      if (++looks < 3) throw new Error('throttled');
      return { ...run, status: 'cleared' };
    },
    results: async () => [],
  } as unknown as RunStore;
  const answer = await awaitVerdict({ runs, chains: NO_CHAINS, ...clock() }, 'org', run, 0);
  expect(answer).toEqual({ run: { ...run, status: 'cleared' }, results: [] });
});

test('looks that never succeed end with the pending run', async () => {
  const runs = { find: () => Promise.reject(new Error('down')) } as unknown as RunStore;
  expect(await awaitVerdict({ runs, chains: NO_CHAINS, ...clock() }, 'org', run, 0)).toEqual({
    run,
    results: undefined,
  });
});

test('a look that hangs does not keep the pending run from the caller', async () => {
  let ms = 0;
  const sleep = async (_: number, until?: AbortSignal) => {
    if (until !== undefined) ms = await new Promise((resolve) => setImmediate(() => resolve(25_000)));
  };
  const late = { now: () => ms, sleep };
  const runs = { find: () => new Promise(() => {}) } as unknown as RunStore;
  expect(await awaitVerdict({ runs, chains: NO_CHAINS, ...late }, 'org', run, 0)).toEqual({
    run,
    results: undefined,
  });
});
