import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { restoreOrganisation } from '../../scripts/restore/restoreOrganisation.ts';
import { DAY_MS } from '../../shared/domain/time.ts';
import { apiKeyKey, purgeKey, usageOfMonth } from '../../shared/storage/table/keys.ts';
import type { Table } from '../../shared/storage/table/table.ts';
import { faultOfCaseKeys, faultOfScorerKeys } from '../faults/heldKeys.ts';
import { type Gate, makeGate, resultsOf } from '../functions/runs/gate.ts';
import { type Api, signUp } from '../support/api.ts';
import { changePlan } from '../support/changePlan.ts';
import { evaluatorByHand } from '../support/evaluatorByHand.ts';
import { MemoryTable } from '../support/memory/memoryTable.ts';
import { type OwnService, startOwnService } from '../support/ownService.ts';

let service: OwnService;
beforeAll(async () => {
  service = await startOwnService();
  service.clock.ms = Date.now();
});
afterAll(() => service.stop());

const now = () => service.clock.ms ?? Number.NaN;

/** What point-in-time recovery gives: the table as it is now, under another name. */
async function restored(): Promise<Table> {
  const table = new MemoryTable(now);
  for (const item of await service.items()) await table.put(item);
  return table;
}

const restore = (from: Table, { project }: Gate) =>
  restoreOrganisation({ from, to: service.table, now }, project.org_id);

async function purgeAfter(days: number): Promise<void> {
  service.clock.ms = now() + days * DAY_MS;
  await evaluatorByHand(service).purge();
}

const listed = async (client: Api, path: string): Promise<string[]> =>
  (await client('GET', `${path}?pageSize=100`)).body.data.map(({ id }: { id: string }) => id);
const pathOf = ({ project, suite }: Gate): string => `/v1/projects/${project.slug}/suites/${suite.slug}`;
const statusOf = async (client: Api, path: string) => (await client('DELETE', path)).status;

/** A gate of three cases that was run twice. */
async function usedGate(as?: Api): Promise<Gate & { readonly runIds: readonly string[] }> {
  const gate = await makeGate(service.baseUrl, {}, as);
  // Its runs are kept for longer than a purge waits.
  await changePlan(service.table, gate.project.org_id, 'pro', now());
  for (const name of ['one', 'two', 'three']) await gate.add({}, { name });
  const runIds = [(await gate.run('ok')).id, (await gate.run('ok again')).id];
  return { ...gate, runIds };
}

const keysIn = async (client: Api, path: string): Promise<string[]> =>
  (await client('GET', `${path}?pageSize=100`)).body.data.map(({ key }: { key: string }) => key);
const keysOf = async ({ client, project, suite }: Gate) => ({
  cases: await keysIn(client, `/v1/suites/${suite.id}/cases`),
  scorers: await keysIn(client, `/v1/projects/${project.slug}/scorers`),
});

const faultsOfKeys = async ({ project, suite }: Gate) => [
  await faultOfCaseKeys(service.table, { orgId: project.org_id, suiteId: suite.id }),
  await faultOfScorerKeys(service.table, { orgId: project.org_id, projectId: project.id }),
];

/** Everything of a gate that callers see. A restore may be an edit: it has a version of its own. */
async function seen(gate: Gate & { readonly runIds: readonly string[] }) {
  const { client, project, suite, runIds } = gate;
  const { latest_run: _, version: __, ...suiteFields } = (await client('GET', pathOf(gate))).body.data;
  return {
    suite: suiteFields,
    projects: (await listed(client, '/v1/projects')).includes(project.id),
    suites: await listed(client, `/v1/projects/${project.slug}/suites`),
    scorers: await listed(client, `/v1/projects/${project.slug}/scorers`),
    cases: await listed(client, `/v1/suites/${suite.id}/cases`),
    keys: await keysOf(gate),
    runs: (await listed(client, `/v1/suites/${suite.id}/runs`)).filter((id) => runIds.includes(id)),
    results: await Promise.all(runIds.map((id) => resultsOf(client, id))),
  };
}

const pathOfProject = ({ project }: Gate): string => `/v1/projects/${project.slug}`;

test.each([
  ['a suite', 1, pathOf],
  ['a project', 1, pathOfProject],
  ['a suite', 31, pathOf],
  ['a project', 31, pathOfProject],
])(
  '%s that was deleted and purged %s days ago is there again with all it had, and gates',
  async (kind, days, deleted) => {
    const gate = await usedGate();
    const before = await seen(gate);
    const from = await restored();
    // Runs since then keep their numbers, and their results.
    const since = await gate.run('ok, the last one');
    expect(await statusOf(gate.client, deleted(gate))).toBe(204);
    await purgeAfter(days);

    expect((await restore(from, gate)).left).toEqual([]);
    expect(await seen(gate)).toEqual(before);
    const purge = purgeKey(gate.project.org_id, 'texts', gate.suite.id);
    const { position } = (await service.table.get(purge)) ?? {};
    if (kind === 'a project' && days > 30) expect(position).toEqual((await from.get(purge))?.position);
    // All of a project has gone with it by then.
    const isKept = kind === 'a suite' || days < 30;
    const latest = isKept ? since.id : before.runs[0];
    expect((await gate.client('GET', pathOf(gate))).body.data.latest_run.id).toBe(latest);
    expect(await faultsOfKeys(gate)).toEqual([undefined, undefined]);
    const next = await gate.run('ok');
    expect([next.status, next.total_cases]).toEqual(['cleared', 3]);
    const runs = await listed(gate.client, `/v1/suites/${gate.suite.id}/runs`);
    expect(runs).toEqual([next.id, ...(isKept ? [since.id] : []), ...before.runs]);
    expect((await restore(from, gate)).itemsBack).toBe(0);
    expect(await seen(gate)).toEqual(before);
  },
);

test('what was not deleted stays as it is, also where it was changed or made since', async () => {
  const gate = await usedGate();
  const [first = '', second = '', third = ''] = await listed(
    gate.client,
    `/v1/suites/${gate.suite.id}/cases`,
  );
  const from = await restored();
  const change = await gate.client('PATCH', `/v1/cases/${first}`, { name: 'renamed' });
  expect([change.status, change.body.data?.name]).toEqual([200, 'renamed']);
  const added = await gate.add({}, { name: 'four' });
  const fails = await gate.add({ config: { values: ['never'] } }, { name: 'five' });
  expect(await statusOf(gate.client, `/v1/cases/${fails.id}`)).toBe(204);
  expect(await statusOf(gate.client, `/v1/cases/${second}`)).toBe(204);
  expect((await gate.run('ok')).total_cases).toBe(3);
  const firstBefore = (await gate.client('GET', `/v1/cases/${first}`)).body;

  await restore(from, gate);
  const cases = await listed(gate.client, `/v1/suites/${gate.suite.id}/cases`);
  expect(cases).toEqual([first, second, third, added.id]);
  expect((await gate.client('GET', `/v1/cases/${first}`)).body).toEqual(firstBefore);
  // Functions that knew the suite see that it has changed.
  expect((await gate.run('ok')).total_cases).toBe(4);
});

test('what comes back has its key again, or its id where another one has taken the key since', async () => {
  const gate = await usedGate();
  const { client, suite } = gate;
  const cases = (await client('GET', `/v1/suites/${suite.id}/cases`)).body.data;
  const [moved, taken, free] = cases;
  const from = await restored();
  await client('PATCH', `/v1/cases/${moved.id}`, { key: 'moved' });
  for (const { id, scorer_id } of [taken, free]) {
    expect(await statusOf(client, `/v1/cases/${id}`)).toBe(204);
    expect(await statusOf(client, `/v1/scorers/${scorer_id}`)).toBe(204);
  }
  const since = await gate.add({ name: 'A scorer', key: 'a-scorer-2' }, { key: taken.key });

  const { left } = await restore(from, gate);
  expect(left).toEqual([
    `"A scorer" (${taken.scorer_id}) has its id as key: another one has "a-scorer-2".`,
    `"two" (${taken.id}) has its id as key: another one has "two".`,
  ]);
  const keys = await keysOf(gate);
  expect(keys.cases.sort()).toEqual(['moved', since.key, taken.id, free.key].sort());
  expect(keys.scorers.sort()).toEqual(['a-scorer', 'a-scorer-2', 'a-scorer-3', taken.scorer_id].sort());
  expect(await faultsOfKeys(gate)).toEqual([undefined, undefined]);
  expect((await restore(from, gate)).left).toEqual([]);
  for (const { id } of [taken, since]) expect(await statusOf(client, `/v1/cases/${id}`)).toBe(204);
  expect(await faultsOfKeys(gate)).toEqual([undefined, undefined]);
});

test('credentials, usage and plan are not touched: what was revoked stays revoked', async () => {
  const gate = await usedGate();
  const { org_id: orgId } = gate.project;
  const key = (await gate.client('POST', '/v1/api-keys', { name: 'leaked' })).body.data;
  const from = await restored();
  expect(await statusOf(gate.client, `/v1/api-keys/${key.id}`)).toBe(204);
  await gate.run('ok');
  const month = new Date(now()).toISOString().slice(0, 7);
  const usage = await service.table.query(usageOfMonth(orgId, month));
  await restore(from, gate);
  expect(await service.table.query(usageOfMonth(orgId, month))).toEqual(usage);
  expect(await listed(gate.client, '/v1/api-keys')).not.toContain(key.id);
  expect(await service.table.get(apiKeyKey(key.id))).toBeUndefined();
});

test('a suite whose slug another one has taken stays deleted, and is named', async () => {
  const gate = await usedGate();
  const from = await restored();
  expect(await statusOf(gate.client, pathOf(gate))).toBe(204);
  const path = `/v1/projects/${gate.project.slug}/suites`;
  const { data: other } = (await gate.client('POST', path, { name: gate.suite.name })).body;
  expect(other.slug).toBe(gate.suite.slug);
  const { left } = await restore(from, gate);
  expect(left).toEqual([expect.stringContaining(gate.suite.id)]);
  expect(await listed(gate.client, path)).toEqual([other.id]);
});

test('it reads the keys of one organisation: the data of others costs nothing', async () => {
  const gate = await usedGate();
  const small = await restored();
  for (let nth = 0; nth < 2; nth++) await usedGate(await signUp(service.baseUrl));
  const large = await restored();
  const readsOf = async (table: Table) => {
    const [from, to] = [recorded(table), recorded(service.table)];
    await restoreOrganisation({ from: from.table, to: to.table, now }, gate.project.org_id);
    return [from.reads, to.reads];
  };
  const [first, second] = [await readsOf(small), await readsOf(large)];
  expect(second).toEqual(first);
  expect(first[0]?.length).toBeLessThan(30);
});

/** The table with the keys and ranges that are read from it. */
function recorded(table: Table) {
  const reads: unknown[] = [];
  const handler: ProxyHandler<Table> = {
    get(_, name) {
      const member: unknown = Reflect.get(table, name);
      if (typeof member !== 'function') return member;
      return (...parameters: unknown[]) => {
        if (['get', 'getMany', 'query'].includes(String(name))) reads.push(parameters);
        return member.apply(table, parameters);
      };
    },
  };
  return { table: new Proxy(table, handler), reads };
}
