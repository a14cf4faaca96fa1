import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { endDeadLetter } from '../../../shared/domain/evaluation/deadLetter.ts';
import { DAY_MS } from '../../../shared/domain/time.ts';
import { evaluationStore } from '../../../shared/storage/evaluation/evaluations.ts';
import { chainStore } from '../../../shared/storage/revisions/chains.ts';
import { expectData, expectInvalid } from '../../support/expectations.ts';
import { type Days, dateOf, passing, startDays } from './days.ts';

let days: Days;
beforeAll(async () => {
  days = await startDays();
});
afterAll(() => days.stop());

test('a day shows its average pass rate, how many runs were cleared and aborted, and how many ran in all', async () => {
  days.day(0);
  const gate = await days.gate();
  for (const count of [4, 4, 1]) await gate.run(passing(count));
  const answer = await gate.client('GET', `/v1/suites/${gate.suite.id}/trends`);
  expectData(answer, 200, [
    { date: dateOf(0), avg_pass_rate: 0.75, cleared_count: 2, aborted_count: 1, total_runs: 3 },
  ]);
});

test('with branch=default only runs of the default branch count, those that are evaluated later, too', async () => {
  days.day(0);
  const gate = await days.gate();
  const { client, suite, project } = gate;
  const send = (output: string, meta: object, isAsync = false) =>
    client('POST', '/v1/run', { suite: suite.slug, output, trigger_meta: meta, async: isAsync });
  await send(passing(4), {});
  await send(passing(2), { branch: 'main' });
  await send(passing(0), { branch: 'fix' });
  await send(passing(0), { pull_request: 7 });
  for (const branch of ['main', 'fix']) {
    const { id } = (await send(passing(1), { branch }, true)).body;
    days.evaluator.send({ kind: 'plan', org_id: project.org_id, run_id: id });
  }
  await days.evaluator.work();
  const ofDefault = [dateOf(0), 0.583_333_333, 2, 1, 3];
  expect(await days.trends(gate)).toEqual([[dateOf(0), 0.333_333_333, 2, 4, 6]]);
  expect(await days.trends(gate, '?branch=default')).toEqual([ofDefault]);
  expectInvalid(await client('GET', `/v1/suites/${suite.id}/trends?branch=main`), 'branch');
});

test('a suite without runs has no days', async () => {
  expect(await days.trends(await days.gate())).toEqual([]);
});

test('days come most recent first, those without runs are left out, and each ends at midnight in UTC', async () => {
  days.day(0);
  const gate = await days.gate();
  for (const [day, count] of [
    [0, 4],
    [0.5 - 1 / DAY_MS, 0],
    [0.5, 3],
    [3, 1],
    [4, 2],
    [4.2, 3],
  ] as const) {
    days.day(day);
    await gate.run(passing(count));
  }
  expect(await days.trends(gate)).toEqual([
    [dateOf(4), 0.625, 2, 0, 2],
    [dateOf(3), 0.25, 0, 1, 1],
    [dateOf(1), 0.75, 1, 0, 1],
    [dateOf(0), 0.5, 1, 1, 2],
  ]);
});

test('days are the last ones in UTC, today included: 30 unless the request differs', async () => {
  days.day(0);
  const gate = await days.gate();
  for (const day of [0, 1, 30, 59, 60, 88, 89]) {
    days.day(day);
    await gate.run(passing(4));
  }
  const shown = async (query: string) => (await days.trends(gate, query)).map(([date]) => date);
  const dates = (...wanted: number[]) => wanted.map(dateOf);
  expect(await shown('')).toEqual(dates(89, 88, 60));
  expect(await shown('?days=1')).toEqual(dates(89));
  expect(await shown('?days=2')).toEqual(dates(89, 88));
  expect(await shown('?days=31')).toEqual(dates(89, 88, 60, 59));
  expect(await shown('?days=90')).toEqual(dates(89, 88, 60, 59, 30, 1, 0));
  days.day(89.49);
  expect(await shown('?days=90')).toHaveLength(7);
  days.day(89.5);
  expect(await shown('?days=90')).toEqual(dates(89, 88, 60, 59, 30, 1));
  expect(await shown('?days=1')).toEqual([]);
});

test.each(['0', '91', '-1', '1.5', '1e1', 'ten', '', '%2030', 'NaN', '30&days=30'])(
  'days=%s is refused by name, on any plan',
  async (value) => {
    const gate = await days.gate();
    const get = () => gate.client('GET', `/v1/suites/${gate.suite.id}/trends?days=${value}`);
    expectInvalid(await get(), 'days');
    await days.changePlan(gate, 'free');
    expectInvalid(await get(), 'days');
  },
);

test('an asynchronous run counts from its end on, under the day it was created, however late it ends', async () => {
  days.day(0);
  const gate = await days.gate();
  await days.submit(gate, passing(2));
  expect(await days.trends(gate)).toEqual([]);
  await gate.run(passing(4));
  days.day(1);
  await gate.run(passing(1));
  await days.submit(gate, passing(3));
  days.day(2);
  expect(await days.trends(gate)).toEqual([
    [dateOf(1), 0.25, 0, 1, 1],
    [dateOf(0), 1, 1, 0, 1],
  ]);
  await days.evaluator.work();
  expect(await days.trends(gate)).toEqual([
    [dateOf(1), 0.5, 1, 1, 2],
    [dateOf(0), 0.75, 2, 0, 2],
  ]);
});

test('a run that could not be evaluated is in no trend', async () => {
  days.day(0);
  const gate = await days.gate();
  await gate.run(passing(4));
  const { table } = days.service;
  const { body } = await gate.client('POST', '/v1/run', { suite: gate.suite.slug, output: '', async: true });
  await endDeadLetter(
    {
      evaluations: evaluationStore(table, days.now),
      checks: { fail: async () => {} },
      chains: chainStore(table),
      now: days.now,
      newId: randomUUID,
    },
    { kind: 'plan', org_id: gate.project.org_id, run_id: body.id },
  );
  const run = await gate.client('GET', `/v1/runs/${body.id}`);
  expect(run.body.data).toMatchObject({ status: 'aborted', inconclusive: true });
  expect(await days.trends(gate)).toEqual([[dateOf(0), 1, 1, 0, 1]]);
});

test('runs that Free kept no longer count in no trend after an upgrade, to the millisecond', async () => {
  days.day(0);
  const gate = await days.gate();
  await days.changePlan(gate, 'free');
  for (const [day, count] of [
    [0, 4],
    [1.4, 4],
    [2 - 1 / DAY_MS, 4],
    [2, 4],
    [2 + 1 / DAY_MS, 1],
    [2.1, 2],
    [2.6, 3],
    [15, 0],
  ] as const) {
    days.day(day);
    await gate.run(passing(count));
  }
  days.day(16);
  await days.changePlan(gate, 'pro');
  const kept = [
    [dateOf(15), 0, 0, 1, 1],
    [dateOf(3), 0.75, 1, 0, 1],
    [dateOf(2), 0.375, 1, 1, 2],
  ];
  expect(await days.trends(gate)).toEqual(kept);
  expect(await days.trends(gate, '?branch=default')).toEqual(kept);
  const { body } = await gate.client('GET', `/v1/suites/${gate.suite.id}/runs`);
  expect(body.pagination.total).toBe(4);
  days.evaluator.send({ kind: 'extend_retention', org_id: gate.project.org_id });
  await days.evaluator.work();
  days.day(91);
  expect(await days.trends(gate, '?days=90')).toEqual(kept);
});

test('a day of which no run is retained is left out, also when it is the latest', async () => {
  days.day(0);
  const gate = await days.gate();
  await days.changePlan(gate, 'free');
  await gate.run(passing(4));
  await days.submit(gate, passing(4));
  await days.evaluator.work();
  days.day(14.1);
  await days.changePlan(gate, 'pro');
  expect(await days.trends(gate)).toEqual([]);
});
