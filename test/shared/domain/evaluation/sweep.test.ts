import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { EvaluationStore } from '../../../../shared/domain/evaluation/ports.ts';
import { sweepPendingRuns } from '../../../../shared/domain/evaluation/sweep.ts';
import type { WorkMessage } from '../../../../shared/domain/messages.ts';
import { evaluationStore } from '../../../../shared/storage/evaluation/evaluations.ts';
import { runStore } from '../../../../shared/storage/runs/runs.ts';
import { planningStore } from '../../../../shared/storage/suites/planning.ts';
import { type OwnTable, startOwnTable } from '../../../support/ownService.ts';
import { admission, type MadeSuite, makeStoredSuite, runOf } from '../../storage/stored.ts';

const MINUTE_MS = 60_000;
const PLAN = { chunks: 1, passThreshold: 1, totalCases: 0, isAbandoned: false };

let own: OwnTable;
const clock = { ms: Date.now() };
const now = () => clock.ms;
beforeAll(async () => {
  own = await startOwnTable(now);
});
afterAll(() => own.stop());

let sent: string[];
let failures: string[];
let store: EvaluationStore;
let made: MadeSuite;
beforeEach(async () => {
  sent = [];
  failures = [];
  store = evaluationStore(own.table, now);
  for (const { orgId, runId } of await store.pendingBefore('9')) await end(orgId, runId);
  made = await makeStoredSuite(own.table);
});

/** Nothing of one test is left to the next. */
async function end(orgId: string, runId: string): Promise<void> {
  const evaluation = await store.find(orgId, runId);
  const figures = { pass_rate: 0, total_cases: 0, passed_cases: 0, failed_cases: 0, errored_cases: 0 };
  if (evaluation === undefined) return;
  await store.conclude(evaluation, {
    ...{ ...figures, status: 'aborted', inconclusive: true, givesBackUsage: true, duration_ms: 0 },
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

const sweep = (options: { nudgeAfterMs?: number } = {}, evaluations = store) => {
  const send = async (messages: readonly WorkMessage[]) => {
    for (const message of messages) if (message.kind === 'plan') sent.push(message.run_id);
  };
  const onFailure = (_: unknown, runId: string) => void failures.push(runId);
  const planning = planningStore(own.table);
  const deps = { evaluations, planning, queue: { send }, now, newId: randomUUID, onFailure };
  return sweepPendingRuns(deps, options);
};

async function sweepFor(minutes: number, each: (minute: number) => Promise<void> = async () => {}) {
  const ended: number[] = [];
  for (let minute = 1; minute <= minutes; minute++) {
    clock.ms += MINUTE_MS;
    await each(minute);
    if ((await sweep()).ended > 0) ended.push(minute);
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

test('a run without progress is ended after a day, not earlier, while other runs of its organisation progress', async () => {
  await accept();
  await accept(await makeStoredSuite(own.table));
  const living = await planned(await accept());
  const keepsWorking = async (minute: number) => {
    if (minute % 2 === 1) await store.claim(living, 0, `holder ${minute}`);
  };
  const ended = await sweepFor(3 * 60, keepsWorking);
  // Only the other organisation's.
  expect(ended).toEqual([60]);
  expect(sent.length).toBeLessThanOrEqual(4 + 6);
  clock.ms += 22 * 60 * MINUTE_MS;
  await store.claim(living, 0, 'holder');
  expect(await sweep()).toMatchObject({ ended: 1 });
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
  clock.ms += 4 * MINUTE_MS;
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
  expect(await sweep({}, { ...store, find })).toEqual({ ended: 0, askedAgain: 27, failed: 3 });
  expect(failures.toSorted()).toEqual([...broken].toSorted());
  expect(sent.toSorted()).toEqual(ids.filter((id) => !broken.has(id)).toSorted());
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(10);
});

test('two sweeps at once ask for a run once', async () => {
  await accept();
  clock.ms += 4 * MINUTE_MS;
  const swept = await Promise.all([sweep(), sweep(), sweep()]);
  expect(swept.reduce((sum, { askedAgain }) => sum + askedAgain, 0)).toBe(sent.length);
  expect(sent).toHaveLength(1);
});
