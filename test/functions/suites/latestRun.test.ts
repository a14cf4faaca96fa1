import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { placeOfRun } from '../../../shared/domain/runs/ids.ts';
import { DAY_MS } from '../../../shared/domain/time.ts';
import { runKey } from '../../../shared/storage/table/keys.ts';
import { makeSuite } from '../../support/builders.ts';
import { changePlan } from '../../support/changePlan.ts';
import { costOf, type EngineService, startEngineService } from '../../support/ownService.ts';
import { type Gate, makeGate } from '../runs/gate.ts';

const NOON_MS = Date.parse('2036-05-05T12:00:00.000Z');

let service: EngineService;
let gate: Gate;
beforeAll(async () => {
  service = await startEngineService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  service.clock.ms = NOON_MS;
  gate = await makeGate(service.baseUrl);
  await gate.add({});
});

const pathOf = ({ project, suite }: Gate) => `/v1/projects/${project.slug}/suites/${suite.slug}`;

/** As every endpoint that answers suites has it. */
async function latestRun() {
  const { client, project, suite } = gate;
  const list = await client('GET', `/v1/projects/${project.slug}/suites`);
  const answers = [
    list.body.data.find(({ id }: { id: string }) => id === suite.id),
    (await client('GET', pathOf(gate))).body.data,
    (await client('GET', `/v1/suites/${suite.id}`)).body.data,
    (await client('PATCH', pathOf(gate), { description: 'patched' })).body.data,
  ];
  const [first, ...others] = answers.map(({ latest_run }) => latest_run);
  for (const other of others) expect(other).toEqual(first);
  return first;
}

async function figuresOf(id: string) {
  const { body } = await gate.client('GET', `/v1/runs/${id}`);
  const { status, pass_rate, inconclusive, created_at, branch, pull_request, is_default_branch } = body.data;
  const origin = { branch, pull_request, is_default_branch };
  return { id, status, pass_rate, inconclusive, ...origin, created_at };
}

test('a suite that never ran has none, as it is created and as it is read', async () => {
  const suite = await makeSuite(gate.client, gate.project);
  expect(suite.latest_run).toBeNull();
  expect((await gate.client('GET', `/v1/suites/${suite.id}`)).body.data).toEqual(suite);
  const copied = await gate.client('POST', `/v1/projects/${gate.project.slug}/suites/from-template`, {
    template_slug: 'code-review',
  });
  expect(copied.body.data.latest_run).toBeNull();
});

test('it is the newest run, cleared or aborted', async () => {
  for (const output of ['ok', 'bad', 'ok, too']) {
    const { id } = await gate.run(output);
    expect(await latestRun()).toEqual(await figuresOf(id));
  }
});

test('a pending run counts', async () => {
  await gate.run('ok');
  const body = { suite: gate.suite.slug, output: 'ok', async: true };
  const { id } = (await gate.client('POST', '/v1/run', body)).body;
  expect(await latestRun()).toEqual({ ...(await figuresOf(id)), status: 'pending', pass_rate: 0 });
});

test('a number without a run is stepped over', async () => {
  const [kept, lost] = [await gate.run('ok'), await gate.run('ok')];
  const place = placeOfRun(lost.id) ?? { suiteId: '', number: 0 };
  await service.table.delete(runKey(gate.project.org_id, place.suiteId, place.number), {
    ConditionExpression: 'attribute_exists(pk)',
  } as never);
  expect(await latestRun()).toEqual(await figuresOf(kept.id));
});

test('a run that the plan no longer retains is gone', async () => {
  const { id } = await gate.run('ok');
  service.clock.ms = NOON_MS + 14 * DAY_MS - 1;
  expect(await latestRun()).toEqual(await figuresOf(id));
  service.clock.ms = NOON_MS + 14 * DAY_MS;
  expect(await latestRun()).toBeNull();
  service.clock.ms = NOON_MS + 60 * DAY_MS;
  expect(await latestRun()).toBeNull();
});

test('a page of suites reads two units a suite, one of them for the run', async () => {
  const SUITES = 20;
  await changePlan(service.table, gate.project.org_id, 'pro', NOON_MS);
  const list = `/v1/projects/${gate.project.slug}/suites?pageSize=100`;
  for (let made = 1; made < SUITES; made++) await makeSuite(gate.client, gate.project);
  await gate.client('GET', list);
  const before = await costOf(service, () => gate.client('GET', list));
  for (let run = 0; run < 30; run++) await gate.run('ok');
  const after = await costOf(service, () => gate.client('GET', list));
  expect(after).toEqual(before);
  // Key, project head and list of suites.
  expect(after.read).toBeLessThanOrEqual(2 * SUITES + 3);
  expect(after.write).toBe(0);
});
