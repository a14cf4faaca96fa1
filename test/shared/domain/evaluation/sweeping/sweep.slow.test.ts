import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { NOTHING_LEFT } from '../../../../../shared/domain/evaluation/conclude.ts';
import type { EvaluationStore } from '../../../../../shared/domain/evaluation/ports.ts';
import { sweepPendingRuns } from '../../../../../shared/domain/evaluation/sweeping/sweep.ts';
import type { WorkMessage } from '../../../../../shared/domain/messages.ts';
import { evaluationStore } from '../../../../../shared/storage/evaluation/evaluations.ts';
import { ALL_PENDING_SHARDS } from '../../../../../shared/storage/evaluation/pendingRuns.ts';
import { slotStore } from '../../../../../shared/storage/evaluation/slots.ts';
import { positionStore } from '../../../../../shared/storage/lists/positions.ts';
import { chainStore } from '../../../../../shared/storage/revisions/chains.ts';
import { runStore } from '../../../../../shared/storage/runs/runs.ts';
import { MemoryTable } from '../../../../support/memory/memoryTable.ts';
import { admission, chunkPlan, type MadeSuite, makeStoredSuite, runOf } from '../../../storage/stored.ts';

const MINUTE_MS = 60_000;
const PLAN = chunkPlan({ totalCases: 0 });

const clock = { ms: Date.now() };
const now = () => clock.ms;
const memory = new MemoryTable(now);

let sent: string[];
let failures: string[];
let store: EvaluationStore;
let made: MadeSuite;
beforeEach(async () => {
  sent = [];
  failures = [];
  store = evaluationStore(memory, now);
  for (const { orgId, runId } of await listed()) await end(orgId, runId);
  made = await makeStoredSuite(memory);
});

async function listed() {
  const whole = { createdBefore: '9', after: null, limit: 10_000 };
  const pages = ALL_PENDING_SHARDS.map((shard) => store.pendingPage(shard, whole));
  return (await Promise.all(pages)).flatMap(({ items }) => items);
}

/** Nothing of one test is left to the next. */
async function end(orgId: string, runId: string): Promise<void> {
  const evaluation = await store.find(orgId, runId);
  if (evaluation === undefined) return;
  await store.conclude(evaluation, {
    ...NOTHING_LEFT,
    duration_ms: 0,
    completed_at: new Date(now()).toISOString(),
  });
}

async function accept(by = made): Promise<string> {
  return runOf(await runStore(memory, randomUUID).admit(admission(by, { startedAtMs: now() }))).id;
}

async function planned(runId: string) {
  const found = await store.find(made.orgId, runId);
  if (found === undefined) throw new Error('the run is not there');
  await store.savePlan(found, PLAN);
  return found;
}

interface How {
  readonly remindAfterMs?: number;
  readonly isQueueBusy?: boolean;
  readonly evaluations?: EvaluationStore;
  /** One invocation for all shards, as on a laptop. */
  readonly inTurn?: boolean;
}

/** One invocation a shard, all at once, unless the test says otherwise. */
const sweep = async ({ evaluations = store, inTurn = false, ...options }: How = {}) => {
  const { isQueueBusy = false, ...request } = options;
  const send = async (messages: readonly WorkMessage[]) => {
    for (const message of messages) if (message.kind === 'plan') sent.push(message.run_id);
  };
  const onFailure = (_: unknown, runId: string) => void failures.push(runId);
  const deps = {
    evaluations,
    chains: chainStore(memory),
    queue: { send, isEmpty: async () => !isQueueBusy },
    now,
    newId: randomUUID,
    onFailure,
    positions: positionStore(memory, now),
  };
  const invocations = inTurn ? [ALL_PENDING_SHARDS] : ALL_PENDING_SHARDS.map((shard) => [shard]);
  const swept = await Promise.all(invocations.map((shards) => sweepPendingRuns(deps, shards, request)));
  const sum = (of: 'ended' | 'askedAgain' | 'failed') => swept.reduce((all, one) => all + one[of], 0);
  return { ended: sum('ended'), askedAgain: sum('askedAgain'), failed: sum('failed') };
};

async function sweepFor(minutes: number, each: (minute: number) => unknown = () => {}, how: How = {}) {
  const ended: number[] = [];
  for (let minute = 1; minute <= minutes; minute++) {
    clock.ms += MINUTE_MS;
    await each(minute);
    if ((await sweep(how)).ended > 0) ended.push(minute);
  }
  return ended;
}

test('a run that shows no sign of life gets reminders after 3, 9, 21 and 45 minutes and is given up after an hour', async () => {
  const id = await accept();
  const minutes: number[] = [];
  const look = (minute: number) => {
    while (minutes.length < sent.length) minutes.push(minute - 1);
  };
  expect(await sweepFor(70, look)).toEqual([60]);
  expect(minutes).toEqual([3, 9, 21, 45]);
  expect((await store.find(made.orgId, id))?.run.status).toBe('aborted');
});

test('a run whose chunk is put back again and again gets no reminder and is not ended', async () => {
  const id = await accept();
  const evaluation = await planned(id);
  const putBack = async (waits: number) => {
    if (waits % 2 === 0) return;
    expect(await store.claim(evaluation, 0, `holder ${waits}`)).toBe('claimed');
    await store.release(evaluation, 0, `holder ${waits}`, { countsAsTry: false, waits });
  };
  expect(await sweepFor(180, putBack)).toEqual([]);
  expect(sent).toEqual([]);
});

test('a run that is heard of again has its hour and its messages from then on', async () => {
  const id = await accept();
  const evaluation = await planned(id);
  const heard = async (minute: number) => {
    if (minute === 50) await store.claim(evaluation, 0, 'holder');
  };
  expect(await sweepFor(120, heard)).toEqual([110]);
  expect(sent).toHaveLength(8);
});

describe('a run whose chunk comes back in four minutes for a seat', () => {
  const waitForSeat = async (id: string) => {
    const evaluation = await planned(id);
    const wait = { waits: 1, waiter: 'a waiter', triesMax: 5, forSeconds: 240 };
    expect(await store.waitForSeat(evaluation, 0, wait)).toBe('waits');
  };

  test('gets a reminder three minutes after the chunk should have come', async () => {
    await waitForSeat(await accept());
    await sweepFor(6);
    expect(sent).toEqual([]);
    await sweepFor(2);
    expect(sent).toHaveLength(1);
  });

  test('gets a reminder at once where the queue forgot its messages', async () => {
    await waitForSeat(await accept());
    clock.ms += MINUTE_MS;
    expect(await sweep({ remindAfterMs: 0 })).toMatchObject({ askedAgain: 1 });
  });
});

test('a run without progress is ended after a day, not earlier, while judge slots of its organisation are in use', async () => {
  await accept();
  await accept(await makeStoredSuite(memory));
  const slots = slotStore(memory, now);
  const keepsCalling = () => slots.take(made.orgId, 'openai', [randomUUID()]);
  const ended = await sweepFor(3 * 60, keepsCalling);
  // Only the other organisation's.
  expect(ended).toEqual([60]);
  expect(sent.length).toBeLessThanOrEqual(4 + 6);
  let hours = 3;
  for (let isEnded = false; !isEnded; hours++) {
    clock.ms += 60 * MINUTE_MS;
    await keepsCalling();
    isEnded = (await sweep()).ended === 1;
  }
  expect(hours).toBe(24);
});

test('while the queue is not empty a run gets reminders after 30, 90 and 210 minutes, and its hour of reminders follows when it is', async () => {
  await accept();
  const minutes: number[] = [];
  const look = (minute: number) => {
    while (minutes.length < sent.length) minutes.push(minute - 1);
  };
  expect(await sweepFor(240, look, { isQueueBusy: true })).toEqual([]);
  expect(minutes).toEqual([30, 90, 210]);
  expect(await sweepFor(60)).toHaveLength(1);
  expect(sent).toHaveLength(4);
});

test('while the queue is not empty, a sweep asks for one run of an organisation', async () => {
  for (let run = 0; run < 20; run++) await accept();
  const other = await accept(await makeStoredSuite(memory));
  clock.ms += 31 * MINUTE_MS;
  await sweep({ isQueueBusy: true, inTurn: true });
  expect(sent).toContain(other);
  // Each shard is swept on its own.
  expect(sent.length).toBeLessThanOrEqual(1 + ALL_PENDING_SHARDS.length);
});

test('a service that was off for hours asks again before it gives up', async () => {
  const id = await accept();
  await sweepFor(50);
  sent = [];
  clock.ms += 5 * 60 * MINUTE_MS;
  expect(await sweep({ remindAfterMs: 0 })).toEqual({ ended: 0, askedAgain: 1, failed: 0 });
  expect(sent).toEqual([id]);
  expect(await sweepFor(30)).toEqual([]);
  expect((await store.find(made.orgId, id))?.run.status).toBe('pending');
});

test('a failure at one run is reported and does not stop the sweep of the others', async () => {
  const ids: string[] = [];
  for (let run = 0; run < 30; run++) ids.push(await accept());
  await sweepFor(2);
  clock.ms += 2 * MINUTE_MS;
  const broken = new Set([ids[0], ids[3], ids[29]]);
  let now = 0;
  let most = 0;
  const find: EvaluationStore['find'] = async (orgId, runId) => {
    most = Math.max(most, ++now);
    try {
      if (broken.has(runId)) throw new Error('unreadable');
      return await store.find(orgId, runId);
    } finally {
      now--;
    }
  };
  expect(await sweep({ inTurn: true, evaluations: { ...store, find } })).toEqual({
    ended: 0,
    askedAgain: 27,
    failed: 3,
  });
  expect(failures.toSorted()).toEqual([...broken].toSorted());
  expect(sent.toSorted()).toEqual(ids.filter((id) => !broken.has(id)).toSorted());
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(10);
});

test('two sweeps at once ask for a run once', async () => {
  await accept();
  await sweepFor(2);
  clock.ms += 2 * MINUTE_MS;
  const swept = await Promise.all([sweep(), sweep(), sweep()]);
  expect(swept.reduce((sum, { askedAgain }) => sum + askedAgain, 0)).toBe(sent.length);
  expect(sent).toHaveLength(1);
});
