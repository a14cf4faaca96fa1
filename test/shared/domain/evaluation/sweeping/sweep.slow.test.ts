import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { NOTHING_LEFT } from '../../../../../shared/domain/evaluation/conclude.ts';
import type { EvaluationStore } from '../../../../../shared/domain/evaluation/ports.ts';
import { sweepPendingRuns } from '../../../../../shared/domain/evaluation/sweeping/sweep.ts';
import type { WorkMessage } from '../../../../../shared/domain/messages.ts';
import { evaluationStore } from '../../../../../shared/storage/evaluation/evaluations.ts';
import { ALL_PENDING_SHARDS } from '../../../../../shared/storage/evaluation/pendingRuns.ts';
import { queueMarkStore } from '../../../../../shared/storage/evaluation/queueMarks.ts';
import { slotStore } from '../../../../../shared/storage/evaluation/slots.ts';
import { positionStore } from '../../../../../shared/storage/lists/positions.ts';
import { runStore } from '../../../../../shared/storage/runs/runs.ts';
import { planningStore } from '../../../../../shared/storage/suites/planning.ts';
import { type OwnTable, startOwnTable } from '../../../../support/ownService.ts';
import { admission, chunkPlan, type MadeSuite, makeStoredSuite, runOf } from '../../../storage/stored.ts';

const MINUTE_MS = 60_000;
const PLAN = chunkPlan({ totalCases: 0 });

let own: OwnTable;
const clock = { ms: Date.now() };
const now = () => clock.ms;
beforeAll(async () => {
  own = await startOwnTable(now);
});
afterAll(() => own.stop());

let sent: string[];
/** Marks that the queue has taken, by organisation, and not delivered. */
let marks: { readonly orgId: string; readonly sentAtMs: number }[];
let failures: string[];
let store: EvaluationStore;
let made: MadeSuite;
beforeEach(async () => {
  sent = [];
  marks = [];
  failures = [];
  store = evaluationStore(own.table, now);
  for (const { orgId, runId } of await listed()) await end(orgId, runId);
  made = await makeStoredSuite(own.table);
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
  return runOf(await runStore(own.table, randomUUID).admit(admission(by, { startedAtMs: now() }))).id;
}

async function planned(runId: string) {
  const found = await store.find(made.orgId, runId);
  if (found === undefined) throw new Error('the run is not there');
  await store.savePlan(found, 'planner', PLAN);
  return found;
}

interface How {
  readonly nudgeAfterMs?: number;
  /** Keeps what it is sent until a test delivers it. */
  readonly queueHolds?: boolean;
  /** Delivers what it is sent, and is never empty. */
  readonly queueIsBusy?: boolean;
  readonly evaluations?: EvaluationStore;
  /** One invocation for all shards, as on a laptop. */
  readonly inTurn?: boolean;
}

/** One invocation a shard, all at once, unless told otherwise. */
const sweep = async ({ evaluations = store, inTurn = false, ...options }: How = {}) => {
  const { queueHolds = false, queueIsBusy = false, ...asked } = options;
  const send = async (messages: readonly WorkMessage[]) => {
    for (const message of messages) {
      if (message.kind === 'plan') sent.push(message.run_id);
      if (message.kind !== 'queue_mark') continue;
      marks.push({ orgId: message.org_id, sentAtMs: message.sent_at });
      if (!queueHolds) await deliverMarks();
    }
  };
  const onFailure = (_: unknown, runId: string) => void failures.push(runId);
  const deps = {
    ...{
      evaluations,
      planning: planningStore(own.table),
      queue: { send, isEmpty: async () => !queueHolds && !queueIsBusy },
      now,
      newId: randomUUID,
      onFailure,
    },
    ...{ queueMarks: queueMarkStore(own.table), positions: positionStore(own.table, now) },
  };
  const invocations = inTurn ? [ALL_PENDING_SHARDS] : ALL_PENDING_SHARDS.map((shard) => [shard]);
  const swept = await Promise.all(invocations.map((shards) => sweepPendingRuns(deps, shards, asked)));
  const sum = (of: 'ended' | 'askedAgain' | 'failed') => swept.reduce((all, one) => all + one[of], 0);
  return { ended: sum('ended'), askedAgain: sum('askedAgain'), failed: sum('failed') };
};

async function deliverMarks(): Promise<void> {
  for (const { orgId, sentAtMs } of marks.splice(0)) await queueMarkStore(own.table).pass(orgId, sentAtMs);
}

async function sweepFor(minutes: number, each: (minute: number) => unknown = () => {}, how: How = {}) {
  const ended: number[] = [];
  for (let minute = 1; minute <= minutes; minute++) {
    clock.ms += MINUTE_MS;
    await each(minute);
    if ((await sweep(how)).ended > 0) ended.push(minute);
  }
  return ended;
}

test('a run of which nothing is heard is asked for ever more seldom, and given up after an hour', async () => {
  const id = await accept();
  expect(await sweepFor(70)).toEqual([60]);
  expect(sent).toEqual([id, id, id, id]);
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

test.each([false, true])(
  'a run of which nothing is heard is asked for after 3, 9, 21 and 45 minutes and ended after 60, whether others wait in the queue: %s',
  async (queueIsBusy) => {
    await accept();
    const minutes: number[] = [];
    const look = (minute: number) => {
      while (minutes.length < sent.length) minutes.push(minute - 1);
    };
    expect(await sweepFor(60, look, { queueIsBusy })).toEqual([60]);
    expect(minutes).toEqual([3, 9, 21, 45]);
  },
);

describe('a run whose chunk comes back in four minutes for a seat', () => {
  const waitForSeat = async (id: string) => {
    const evaluation = await planned(id);
    const wait = { waits: 1, waiter: 'a waiter', triesMax: 5, forSeconds: 240 };
    expect(await store.waitForSeat(evaluation, 0, wait)).toBe('waits');
  };

  test('is asked for three minutes after it should have come', async () => {
    await waitForSeat(await accept());
    await sweepFor(6);
    expect(sent).toEqual([]);
    await sweepFor(2);
    expect(sent).toHaveLength(1);
  });

  test('is asked for at once where the queue forgot its messages', async () => {
    await waitForSeat(await accept());
    clock.ms += MINUTE_MS;
    expect(await sweep({ nudgeAfterMs: 0 })).toMatchObject({ askedAgain: 1 });
  });
});

test('a run without progress is ended after a day, not earlier, while judge slots of its organisation are in use', async () => {
  await accept();
  await accept(await makeStoredSuite(own.table));
  const slots = slotStore(own.table, now);
  const keepsCalling = () => slots.take(made.orgId, 'openai', [randomUUID()]);
  const ended = await sweepFor(3 * 60, keepsCalling);
  // Only the other organisation's.
  expect(ended).toEqual([60]);
  expect(sent.length).toBeLessThanOrEqual(4 + 6);
  clock.ms += 22 * 60 * MINUTE_MS;
  await keepsCalling();
  // The mark of the minutes before says that nothing of it waits in the queue.
  expect(await sweep()).toMatchObject({ ended: 1 });
});

test('what waits in the queue is neither asked for again nor given up', async () => {
  const id = await accept();
  expect(await sweepFor(120, undefined, { queueHolds: true })).toEqual([]);
  clock.ms += 40 * 60 * MINUTE_MS;
  expect(await sweepFor(30, undefined, { queueHolds: true })).toEqual([]);
  expect(sent).toEqual([]);
  expect((await store.find(made.orgId, id))?.run.status).toBe('pending');
});

test('when the queue has delivered what a run waited behind, its hour of reminders follows', async () => {
  const id = await accept();
  await sweepFor(120, undefined, { queueHolds: true });
  await deliverMarks();
  expect(await sweepFor(70)).toEqual([46]);
  expect(sent).toEqual([id, id, id, id]);
});

test('a run is given up after two days at the latest, though nothing is known of the queue', async () => {
  await accept();
  clock.ms += 47 * 60 * MINUTE_MS;
  expect(await sweepFor(120, undefined, { queueHolds: true })).toEqual([60]);
});

test('one mark of an organisation is on its way at a time, and a lost one is sent again', async () => {
  for (let run = 0; run < 20; run++) await accept();
  await sweepFor(11, undefined, { queueHolds: true });
  expect(marks).toHaveLength(1);
  await sweepFor(2, undefined, { queueHolds: true });
  expect(marks).toHaveLength(2);
});

test('a service that was off for hours asks again before it gives up', async () => {
  const id = await accept();
  await sweepFor(50);
  sent = [];
  clock.ms += 5 * 60 * MINUTE_MS;
  expect(await sweep({ nudgeAfterMs: 0 })).toEqual({ ended: 0, askedAgain: 1, failed: 0 });
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
