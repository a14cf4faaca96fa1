import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DAY_MS } from '../../../shared/domain/time.ts';
import { runStore } from '../../../shared/storage/runs/runs.ts';
import { suiteStore } from '../../../shared/storage/suites/suites.ts';
import { finishedRun, runOf } from '../../shared/storage/stored.ts';
import { dropExpired } from '../../support/dropExpired.ts';
import { fillSuite } from '../runs/filled.ts';
import { type Gate, makeGate } from '../runs/gate.ts';
import { START_MS, seen, startUpgrading, type Upgrading } from './upgrading.ts';

let upgrading: Upgrading;
beforeAll(async () => {
  upgrading = await startUpgrading();
});
afterAll(() => upgrading.stop());

const MINUTE = 1 / 1_440;

test('results that lie beside their run stay as long as it: in chunks and parts, scored at once or evaluated', async () => {
  const { day, run, evaluator, service } = upgrading;
  day(0);
  const gate = await upgrading.gate();
  const { scorer_id } = await gate.add({ type: 'exact_match', config: {} });
  const cases = (index: number) => ({ name: `Case ${index}`, scorer_id, expected: 'another text' });
  await fillSuite(service.table, gate, 600, cases);
  // What does not compress fills several items.
  const outputOf = (_: unknown, index: number) => ({
    case: `case-${index}`,
    output: randomBytes(1_500).toString('hex'),
  });
  const outputs = Array.from({ length: 600 }, outputOf);
  const runs = [await run(gate, 'sync', { outputs }), await run(gate, 'async', { outputs })];
  await evaluator.work();
  const results = () => Promise.all(runs.map((id) => gate.client('GET', `/v1/runs/${id}/results`)));
  const before = (await results()).map(({ body }) => body.data);
  expect(before.map(({ length }) => length)).toEqual([602, 602]);
  const parts = (await service.items()).filter(
    ({ pk, sk }) => String(pk).endsWith(gate.suite.id) && /^RESULTS#.*#00000#/.test(String(sk)),
  );
  expect(parts.length).toBeGreaterThanOrEqual(4);
  await upgrading.changePlan(gate, 'scale');
  await evaluator.work();
  day(300);
  expect((await results()).map(({ body }) => body.data)).toEqual(before);
});

test('a run of a deleted suite stays readable by id, whether deleted before the upgrade or during it', async () => {
  const { day, run, evaluator } = upgrading;
  for (const when of ['before', 'during'] as const) {
    day(0);
    const gate = await upgrading.gate();
    const id = await run(gate);
    const remove = () => gate.client('DELETE', `/v1/projects/${gate.project.slug}/suites/${gate.suite.slug}`);
    if (when === 'before') await remove();
    day(13);
    await upgrading.changePlan(gate, 'pro');
    await evaluator.step();
    if (when === 'during') await remove();
    await evaluator.work();
    day(300);
    expect(await seen(gate, id)).toMatchObject({ run: 200, results: 1 });
  }
});

test('runs of a deleted project stay gone and are dropped as they would have been', async () => {
  const { day, run, evaluator } = upgrading;
  day(0);
  const gate = await upgrading.gate();
  const id = await run(gate);
  await gate.client('DELETE', `/v1/projects/${gate.project.slug}`);
  await upgrading.changePlan(gate, 'pro');
  await evaluator.work();
  expect(await upgrading.daysKept(gate, id)).toBe(28);
  expect(await seen(gate, id)).toMatchObject({ run: 404 });
});

test('a run that is pending at the upgrade is extended when it has ended, with its results', async () => {
  const { day, run, evaluator } = upgrading;
  day(0);
  const gate = await upgrading.gate();
  const id = await run(gate, 'async');
  const [plan] = evaluator.messages.splice(0);
  await upgrading.changePlan(gate, 'pro');
  for (let step = 0; step < 6; step++) await evaluator.step();
  expect(await upgrading.daysKept(gate, id)).toBe(28);
  if (plan !== undefined) evaluator.send(plan.message);
  await evaluator.work();
  expect(await upgrading.daysKept(gate, id)).toBe(379);
  day(300);
  expect(await seen(gate, id)).toEqual({ run: 200, results: 1, listed: true, total: 1 });
});

test('a run that a request under way stores after the upgrade, as of the former plan, is extended too', async () => {
  const { day, evaluator, service } = upgrading;
  day(0);
  const gate = await upgrading.gate();
  const { org_id: orgId } = gate.project;
  await upgrading.changePlan(gate, 'pro');
  day(0.5 * MINUTE);
  await evaluator.step();
  const head = await suiteStore(service.table).head(orgId, gate.suite.slug, gate.project.id);
  if (head === undefined) throw new Error('no head');
  const at = service.clock.ms ?? 0;
  const suite = { orgId, head, suite: { ...gate.suite, project_slug: gate.project.slug } };
  const times = { startedAtMs: at, completedAtMs: at, retentionDays: 14 };
  const late = runOf(await runStore(service.table, randomUUID).commit(finishedRun(suite, [], times)));
  expect(await upgrading.daysKept(gate, late.id)).toBe(28);
  await evaluator.work();
  expect(await upgrading.daysKept(gate, late.id)).toBe(379);
});

test('hundreds of runs in several suites are extended in steps, once, and those of no other organisation', async () => {
  const { day, run, evaluator, service } = upgrading;
  day(0);
  const gate = await upgrading.gate();
  const second = await makeGate(service.baseUrl, { name: 'Another suite' }, gate.client);
  await second.add({});
  const other = await upgrading.gate();
  const runsOf = async (of: Gate, count: number) => {
    const ids: string[] = [];
    for (let nth = 0; nth < count; nth++) ids.push(await run(of));
    return ids;
  };
  // As many as two steps take, to the last one.
  const runs = [await runsOf(gate, 200), await runsOf(second, 3), await runsOf(other, 1)].flat();
  const kept = () => Promise.all(runs.map((id) => upgrading.daysKept(gate, id)));
  await upgrading.changePlan(gate, 'pro');
  // The first step only waits for requests under way.
  expect(await evaluator.work()).toBe(4);
  const others = await upgrading.daysKept(other, runs.at(-1) ?? '');
  expect([await kept(), others]).toEqual([[...Array(203).fill(379), Number.NaN], 28]);
  await upgrading.changePlan(gate, 'scale');
  const before = service.table.consumed();
  await evaluator.work();
  expect(service.table.consumed().write - before.write).toBeLessThan(10);
});

test('a service that is off for a week right after an upgrade loses no run that the new plan keeps', async () => {
  const { day, run, evaluator, service } = upgrading;
  day(0);
  const gate = await upgrading.gate();
  const runs = [await run(gate), await run(gate, 'async')];
  await evaluator.work();
  day(14 - MINUTE);
  await upgrading.changePlan(gate, 'pro', 'message lost');
  for (const days of [15, 18, 21, 21.5]) {
    day(days);
    await dropExpired(service, service.clock.ms ?? 0);
  }
  await evaluator.resume();
  await evaluator.work();
  day(364);
  for (const id of runs)
    expect(await seen(gate, id)).toEqual({ run: 200, results: 1, listed: true, total: 2 });
});

test('runs of a clock that is slow do not keep an upgrade from the runs before them', async () => {
  const { day, evaluator, service } = upgrading;
  day(0);
  const gate = await upgrading.gate();
  const { org_id: orgId, slug } = gate.project;
  const suite = { ...gate.suite, project_slug: slug };
  const store = runStore(service.table, randomUUID);
  const runAt = async (days: number) => {
    const head = await suiteStore(service.table).head(orgId, suite.slug, suite.project_id);
    if (head === undefined) throw new Error('no suite');
    const at = START_MS + days * DAY_MS;
    const times = { startedAtMs: at, completedAtMs: at, retentionDays: 14 };
    return runOf(await store.commit(finishedRun({ orgId, head, suite }, [], times))).id;
  };
  const runs: string[] = [];
  for (let run = 0; run < 60; run++) runs.push(await runAt(2));
  // More of them than a step takes on.
  for (let run = 0; run < 110; run++) await runAt(-2);
  for (let run = 0; run < 60; run++) runs.push(await runAt(14));
  day(14);
  await upgrading.changePlan(gate, 'pro');
  await evaluator.work();
  const kept = await Promise.all(runs.map((id) => upgrading.daysKept(gate, id)));
  expect(new Set(kept)).toEqual(new Set([379]));
  day(32);
  await dropExpired(service, service.clock.ms ?? 0);
  expect((await gate.client('GET', `/v1/runs/${runs[0]}`)).status).toBe(200);
});
