import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sha256OfKey } from '../../../shared/domain/accounts/apiKey.ts';
import { DAY_MS } from '../../../shared/domain/time.ts';
import { apiKeyKey } from '../../../shared/storage/table/keys.ts';
import { api } from '../../support/api.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { type Gate, makeGate } from './gate.ts';

/** The Free plan's. */
const RETENTION_MS = 14 * DAY_MS;
const START_MS = Date.parse('2026-03-01T09:30:00.000Z');

let service: OwnService;
beforeAll(async () => {
  service = await startOwnService();
});
afterAll(() => service.stop());

async function gateAt(ms: number): Promise<Gate> {
  service.clock.ms = ms;
  const gate = await makeGate(service.baseUrl);
  await gate.add({});
  return gate;
}

async function runAt(gate: Gate, ms: number): Promise<string> {
  service.clock.ms = ms;
  return (await gate.run('ok')).id;
}

async function listed({ client, suite }: Gate, pageSize = 100) {
  const ids: string[] = [];
  for (let page = 1; ; page++) {
    const { body } = await client('GET', `/v1/suites/${suite.id}/runs?page=${page}&pageSize=${pageSize}`);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    if (!body.pagination.hasMore) return { ids, total: body.pagination.total };
  }
}

test('a run is there for the days of the plan and gone after them: by id, results, list and total', async () => {
  const gate = await gateAt(START_MS);
  const id = await runAt(gate, START_MS);
  const statuses = async () => [
    (await gate.client('GET', `/v1/runs/${id}`)).status,
    (await gate.client('GET', `/v1/runs/${id}/results`)).status,
    await listed(gate),
  ];
  service.clock.ms = START_MS + RETENTION_MS - 1;
  expect(await statuses()).toEqual([200, 200, { ids: [id], total: 1 }]);
  service.clock.ms = START_MS + RETENTION_MS;
  expect(await statuses()).toEqual([404, 404, { ids: [], total: 0 }]);
  service.clock.ms = START_MS + 400 * DAY_MS;
  expect(await statuses()).toEqual([404, 404, { ids: [], total: 0 }]);
});

test('as days pass the oldest runs leave the list and pages and totals stay exact', async () => {
  const gate = await gateAt(START_MS);
  const ids: string[] = [];
  for (let day = 0; day < 24; day++) ids.push(await runAt(gate, START_MS + day * DAY_MS));
  for (const today of [23, 30, 36, 37]) {
    service.clock.ms = START_MS + today * DAY_MS + 1;
    const kept = ids.filter((_, day) => today - day < 14).toReversed();
    expect(await listed(gate, 5)).toEqual({ ids: kept, total: kept.length });
  }
  expect((await runAt(gate, START_MS + 60 * DAY_MS)).startsWith('run_')).toBe(true);
  expect((await listed(gate)).total).toBe(1);
});

test('exactly the runs within retention are listed and readable, for random times', async () => {
  const steps = fc.array(fc.integer({ min: 0, max: 5 * DAY_MS }), { minLength: 1, maxLength: 10 });
  const later = fc.integer({ min: 0, max: 16 * DAY_MS });
  await fc.assert(
    fc.asyncProperty(steps, later, async (gaps, wait) => {
      const gate = await gateAt(START_MS);
      const made: { id: string; at: number }[] = [];
      for (const gap of gaps) {
        const at = (made.at(-1)?.at ?? START_MS) + gap;
        made.push({ id: await runAt(gate, at), at });
      }
      const now = (made.at(-1)?.at ?? START_MS) + wait;
      service.clock.ms = now;
      const { ids, total } = await listed(gate, 4);
      expect(total).toBe(ids.length);
      for (const { id, at } of made) {
        const { status } = await gate.client('GET', `/v1/runs/${id}`);
        expect(ids.includes(id)).toBe(status === 200);
        // Expiry is kept in whole seconds.
        if (now - at < RETENTION_MS - 1_000) expect(status).toBe(200);
        if (now - at > RETENTION_MS) expect(status).toBe(404);
      }
    }),
    { numRuns: 6 },
  );
});

test('a plan of shorter retention hides at once all older runs, one of longer retention keeps the new ones', async () => {
  service.clock.ms = START_MS;
  const signedUp = await api(service.baseUrl)('POST', '/v1/auth/signup', { name: 'Downgrading' });
  const { key } = signedUp.body.data.api_key;
  const stored = await service.table.get(apiKeyKey(sha256OfKey(key)));
  const setPlan = (plan: string) => service.table.put({ ...stored, plan });
  await setPlan('pro');
  const gate = await makeGate(service.baseUrl, {}, api(service.baseUrl, key));
  await gate.add({});
  const old = await runAt(gate, START_MS);
  const recent = await runAt(gate, START_MS + 20 * DAY_MS);
  const statusOfOld = async () => (await gate.client('GET', `/v1/runs/${old}`)).status;
  expect([await statusOfOld(), await listed(gate)]).toEqual([200, { ids: [recent, old], total: 2 }]);
  await setPlan('free');
  expect([await statusOfOld(), await listed(gate)]).toEqual([404, { ids: [recent], total: 1 }]);
});

test('a clock that goes back by minutes does not put a run before those that were there', async () => {
  const gate = await gateAt(START_MS);
  const ids = [];
  for (const minute of [0, 10, 5, 6, 11]) ids.push(await runAt(gate, START_MS + minute * 60_000));
  expect((await listed(gate)).ids).toEqual(ids.toReversed());
  const { body } = await gate.client('GET', `/v1/suites/${gate.suite.id}/runs`);
  const times: string[] = body.data.map(({ created_at }: { created_at: string }) => created_at);
  expect(times).toEqual(times.toSorted().toReversed());
  for (const { created_at, completed_at } of body.data) expect(completed_at >= created_at).toBe(true);
});
