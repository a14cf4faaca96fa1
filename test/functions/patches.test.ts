import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { contracts } from '../../shared/contracts/registry.ts';
import { expectInvalid } from '../support/expectations.ts';
import { costOf, type EngineService, startEngineService } from '../support/ownService.ts';
import { makeNames, requestTo } from '../support/requests.ts';
import { type Gate, makeGate } from './runs/gate.ts';

let service: EngineService;
let gate: Gate;
/** The path of a resource of each kind that can be changed. */
let paths: Readonly<Record<string, string>>;
beforeAll(async () => {
  service = await startEngineService({ RATE_LIMITS: 'off' });
  gate = await makeGate(service.baseUrl);
  const { id, scorer_id } = await gate.add({});
  const project = `/v1/projects/${gate.project.slug}`;
  paths = {
    'projects/update': project,
    'suites/update': `${project}/suites/${gate.suite.slug}`,
    'cases/update': `/v1/cases/${id}`,
    'scorers/update': `/v1/scorers/${scorer_id}`,
  };
});
afterAll(() => service.stop());

const patches = contracts.filter(({ method }) => method === 'PATCH').map(({ id }) => id);

const UNKNOWN = { nobody_knows: 1, updated_at: '2020-01-01T00:00:00.000Z', id: 'x' };
/** Its body is strict. */
const STRICT = 'projects/update';

test('a PATCH of a project with unknown fields is refused, since these could grant more than its author wanted', async () => {
  const path = paths[STRICT] ?? '';
  const before = await gate.client('GET', path);
  expectInvalid(await gate.client('PATCH', path, { name: 'Other', ...UNKNOWN }), ...Object.keys(UNKNOWN));
  expect((await gate.client('GET', path)).body).toEqual(before.body);
});

const IGNORED = patches.filter((id) => id !== STRICT).map((id) => [id, UNKNOWN] as const);

test.each([...patches.map((id) => [id, {}] as const), ...IGNORED])(
  '%s with %j changes nothing, when it was last changed included, and writes nothing',
  async (id, body) => {
    const path = paths[id] ?? '';
    const before = await gate.client('GET', path);
    expect(before.status).toBe(200);
    service.clock.ms = Date.now() + 30_000;
    const cost = await costOf(service, async () => {
      const answer = await gate.client('PATCH', path, body);
      expect([answer.status, answer.body]).toEqual([200, before.body]);
    });
    expect(cost.write).toBe(0);
    expect((await gate.client('GET', path)).body).toEqual(before.body);
  },
);

/** They keep to it. */
const CONDITIONAL = ['definitions/put', 'suites/update', 'cases/update', 'cases/reorder', 'scorers/update'];
const unconditional = contracts.filter(({ id, body }) => body !== undefined && !CONDITIONAL.includes(id));

test.each(unconditional.map((contract) => [contract.id, contract] as const))(
  '%s with an expected_version, which it would not keep to, is refused and changes nothing',
  async (id, contract) => {
    const { method, path, body } = requestTo(contract, await makeNames(gate.client));
    const items = await service.items();
    const answer = await gate.client(method, path, { ...body, expected_version: 1 });
    expectInvalid(answer, 'expected_version');
    expect([id, await service.items()]).toEqual([id, items]);
  },
);

const DELETIONS_AT_A_VERSION = ['suites/delete', 'cases/delete', 'scorers/delete'];
const deletions = contracts.filter(
  ({ id, method }) => method === 'DELETE' && !DELETIONS_AT_A_VERSION.includes(id),
);

test.each(deletions.map(({ id }) => [id]))(
  '%s with an expected_version in its query, which it would not keep to, is refused and changes nothing',
  async (id) => {
    const contract = contracts.find((one) => one.id === id);
    if (contract === undefined) throw new Error(`there is no contract ${id}`);
    const { method, path } = requestTo(contract, await makeNames(gate.client));
    const items = await service.items();
    expectInvalid(await gate.client(method, `${path}?expected_version=1`), 'expected_version');
    expect(await service.items()).toEqual(items);
  },
);

test.each(patches)('%s with a known field moves updated_at', async (id) => {
  const path = paths[id] ?? '';
  const before = await gate.client('GET', path);
  service.clock.ms = Date.now() + 60_000;
  const { body } = await gate.client('PATCH', path, { name: `Renamed by ${id}` });
  expect(body.data.name).toBe(`Renamed by ${id}`);
  expect(body.data.updated_at > before.body.data.updated_at).toBe(true);
});
