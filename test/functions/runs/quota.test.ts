import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { endDeadLetter } from '../../../shared/domain/evaluation/deadLetter.ts';
import { monthOf, timestamp } from '../../../shared/domain/time.ts';
import { evaluationStore } from '../../../shared/storage/evaluation/evaluations.ts';
import { chainStore } from '../../../shared/storage/revisions/chains.ts';
import { usageStore } from '../../../shared/storage/runs/usage.ts';
import type { ApiAnswer } from '../../support/api.ts';
import { changePlan } from '../../support/changePlan.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { sized } from '../../support/soak.ts';
import { setUsed } from '../../support/usage.ts';
import { type Gate, makeGate } from './gate.ts';

const MONTHLY_RUNS = 500;
/** How many of them the races leave. */
const LEFT = sized(58, 498);
const NOVEMBER_MS = Date.parse('2036-11-21T20:00:00.000Z');
const LAST_MOMENT_MS = Date.parse('2036-11-30T23:59:59.999Z');

let service: OwnService;
beforeAll(async () => {
  service = await startOwnService();
});
afterEach(() => {
  service.clock.ms = undefined;
});
afterAll(() => service.stop());

const now = () => service.clock.ms ?? Date.now();
const monthAt = (atMs = now()) => monthOf(timestamp(atMs));
const usageOf = ({ project }: Gate, atMs?: number) =>
  usageStore(service.table).used(project.org_id, monthAt(atMs));
const useUp = ({ project }: Gate, used: number) => setUsed(service.table, project.org_id, monthAt(), used);

/** An organisation on Free that has used so many of this month's runs. */
async function gateWith(used: number, atMs = NOVEMBER_MS): Promise<Gate> {
  service.clock.ms = atMs;
  const gate = await makeGate(service.baseUrl);
  await gate.add({});
  await useUp(gate, used);
  return gate;
}

const send = ({ client, suite }: Gate, fields: object = {}, headers: Record<string, string> = {}) =>
  client('POST', '/v1/run', { suite: suite.slug, output: 'ok', ...fields }, headers);

async function totalOf({ client, suite }: Gate): Promise<number> {
  return (await client('GET', `/v1/suites/${suite.id}/runs?pageSize=1`)).body.pagination.total;
}

/** So many requests from 8 clients, each of which sends its next one when it has its answer. */
async function fromClients(count: number, request: (nth: number) => Promise<ApiAnswer>): Promise<number[]> {
  const statuses: number[] = [];
  let next = 0;
  const client = async () => {
    while (next < count) statuses.push((await request(next++)).status);
  };
  await Promise.all(Array.from({ length: 8 }, client));
  return statuses;
}

const count = (statuses: readonly number[], ...wanted: number[]) =>
  statuses.filter((status) => wanted.includes(status)).length;

/** Ends a pending run without a verdict, as what can't be evaluated ends. */
async function refund({ project, client }: Gate, id: string): Promise<void> {
  const evaluations = evaluationStore(service.table, now);
  const deps = {
    evaluations,
    checks: { fail: async () => {} },
    chains: chainStore(service.table),
    now,
    newId: randomUUID,
  };
  await endDeadLetter(deps, { kind: 'plan', org_id: project.org_id, run_id: id });
  const { body } = await client('GET', `/v1/runs/${id}`);
  expect(body.data).toMatchObject({ status: 'aborted', inconclusive: true });
}

function expectRefused(answer: ApiAnswer, current_usage: number, resets_at: string): void {
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 402,
    body: {
      error: {
        code: 'USAGE_LIMIT_EXCEEDED',
        message: expect.stringMatching(/\b500\b.*POST \/v1\/billing\/checkout/),
        details: { plan: 'free', monthly_limit: MONTHLY_RUNS, current_usage, resets_at },
      },
    },
  });
  expect(answer.body.error.message).toContain(resets_at);
}

test('of more requests at once than runs are left, exactly as many as are left are scored', async () => {
  const gate = await gateWith(MONTHLY_RUNS - LEFT);
  const all = Array.from({ length: LEFT + 22 }, async () => (await send(gate)).status);
  const statuses = await Promise.all(all);
  expect([count(statuses, 200), count(statuses, 402)]).toEqual([LEFT, 22]);
  expect([await usageOf(gate), await totalOf(gate)]).toEqual([500, LEFT]);
});

test('back on Free, an organisation has what it left of the 500 under each plan of the month', async () => {
  const gate = await gateWith(200);
  const { org_id } = gate.project;
  await changePlan(service.table, org_id, 'pro', now());
  await useUp(gate, 300);
  await changePlan(service.table, org_id, 'free', now());
  await useUp(gate, 485);
  const statuses = await fromClients(40, () => send(gate));
  expect([count(statuses, 200), count(statuses, 402)]).toEqual([15, 25]);
  expect(await usageOf(gate)).toBe(500);
});

test('over several suites, half of the runs asynchronous, exactly as many as are left are accepted', async () => {
  const gate = await gateWith(MONTHLY_RUNS - LEFT);
  const slugs = [gate.suite.slug];
  for (const slug of ['second', 'third']) {
    const made = await gate.client('POST', `/v1/projects/${gate.project.slug}/suites/from-template`, {
      template_slug: 'json-schema-extraction',
      slug,
    });
    expect(made.status).toBe(201);
    slugs.push(slug);
  }
  const statuses = await fromClients(LEFT + 22, (nth) =>
    send(gate, { suite: slugs[nth % 3], async: nth % 2 === 0 }),
  );
  expect([count(statuses, 200, 202), count(statuses, 402), statuses.length]).toEqual([LEFT, 22, LEFT + 22]);
  // Half of them, if none of those was refused.
  expect(count(statuses, 200)).toBeGreaterThanOrEqual((LEFT + 22) / 2 - 22);
  expect(await usageOf(gate)).toBe(500);
});

test('a refusal states the limit, when it ends and how to go on, and leaves nothing behind', async () => {
  const gate = await gateWith(MONTHLY_RUNS);
  const before = await service.items();
  for (const fields of [{}, { async: true }, {}, { async: true }]) {
    expectRefused(await send(gate, fields), MONTHLY_RUNS, '2036-12-01T00:00:00.000Z');
  }
  expect([await usageOf(gate), await totalOf(gate)]).toEqual([MONTHLY_RUNS, 0]);
  const lasting = (items: readonly object[]) => items.filter((item) => !('expires_at' in item)).length;
  // The first one that reads the suite stores its digest, which the suite's next run uses.
  expect(lasting(await service.items())).toBeLessThanOrEqual(lasting(before) + 1);
});

test('a run that could not be evaluated gives its place to another one, though the month was used up', async () => {
  const gate = await gateWith(MONTHLY_RUNS - 1);
  const pending = await send(gate, { async: true });
  expect([pending.status, (await send(gate)).status, (await send(gate)).status]).toEqual([202, 402, 402]);
  await refund(gate, pending.body.id);
  expect(await usageOf(gate)).toBe(MONTHLY_RUNS - 1);
  expect([(await send(gate)).status, (await send(gate)).status]).toEqual([200, 402]);
  expect(await usageOf(gate)).toBe(MONTHLY_RUNS);
});

test('the month is that of UTC: its last moment is refused, the next one begins anew', async () => {
  const gate = await gateWith(MONTHLY_RUNS, LAST_MOMENT_MS);
  expectRefused(await send(gate), MONTHLY_RUNS, '2036-12-01T00:00:00.000Z');
  service.clock.ms = LAST_MOMENT_MS + 1;
  expect((await send(gate)).status).toBe(200);
  expect([await usageOf(gate), await usageOf(gate, LAST_MOMENT_MS)]).toEqual([1, MONTHLY_RUNS]);
  await useUp(gate, MONTHLY_RUNS);
  expectRefused(await send(gate), MONTHLY_RUNS, '2037-01-01T00:00:00.000Z');
});

test('a run of last month that is given back this month frees nothing of this month', async () => {
  const gate = await gateWith(0, LAST_MOMENT_MS);
  const pending = await send(gate, { async: true });
  service.clock.ms = LAST_MOMENT_MS + 60_000;
  await useUp(gate, MONTHLY_RUNS);
  await refund(gate, pending.body.id);
  expect([await usageOf(gate), await usageOf(gate, LAST_MOMENT_MS)]).toEqual([MONTHLY_RUNS, 0]);
  expect((await send(gate)).status).toBe(402);
});

test('a run repeated by its idempotency key is answered and costs nothing, also when nothing is left', async () => {
  const gate = await gateWith(MONTHLY_RUNS - 1);
  const headers = { 'idempotency-key': randomUUID() };
  const first = await send(gate, {}, headers);
  expect([first.status, (await send(gate)).status]).toEqual([200, 402]);
  const repeated = await send(gate, {}, headers);
  expect({ status: repeated.status, body: repeated.body }).toEqual({ status: 200, body: first.body });
  expect(await usageOf(gate)).toBe(MONTHLY_RUNS);
});

test('the idempotency key of a refused run may be used again once there is room', async () => {
  const gate = await gateWith(MONTHLY_RUNS);
  const headers = { 'idempotency-key': randomUUID() };
  for (let time = 0; time < 2; time++) expect((await send(gate, {}, headers)).status).toBe(402);
  await changePlan(service.table, gate.project.org_id, 'pro', now());
  expect((await send(gate, {}, headers)).status).toBe(200);
  expect((await send(gate, {}, headers)).headers.get('idempotency-replayed')).toBe('true');
  expect(await usageOf(gate)).toBe(MONTHLY_RUNS + 1);
});

test('an invalid request, or one for a missing suite, is refused first, and costs nothing', async () => {
  const gate = await gateWith(MONTHLY_RUNS);
  expect((await send(gate)).status).toBe(402);
  const empty = await gate.client('POST', `/v1/projects/${gate.project.slug}/suites`, { name: 'Empty' });
  expect((await send(gate, { suite: 'nowhere' })).status).toBe(404);
  expect((await send(gate, { suite: empty.body.data.slug })).status).toBe(400);
  expect((await send(gate, { output: 5 })).status).toBe(400);
  expect(await usageOf(gate)).toBe(MONTHLY_RUNS);
});

test('other plans are not blocked; an organisation back on Free with more runs than Free has is', async () => {
  const gate = await gateWith(20_000);
  const { org_id } = gate.project;
  for (const plan of ['pro', 'scale', 'enterprise'] as const) {
    await changePlan(service.table, org_id, plan, now());
    expect((await send(gate)).status).toBe(200);
  }
  await changePlan(service.table, org_id, 'free', now());
  expectRefused(await send(gate), 20_003, '2036-12-01T00:00:00.000Z');
});
