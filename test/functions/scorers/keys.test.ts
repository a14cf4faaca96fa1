import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Api, signUp } from '../../support/api.ts';
import { makeProject, makeScorer } from '../../support/builders.ts';
import { expectInvalid } from '../../support/expectations.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { SLUGS } from '../../support/rules.ts';

let service: OwnService;
let client: Api;
// biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
let project: any;
beforeAll(async () => {
  service = await startOwnService();
  client = await signUp(service.baseUrl);
});
afterAll(() => service.stop());
beforeEach(async () => {
  project = await makeProject(client);
});

const create = (fields: object) =>
  client('POST', `/v1/projects/${project.slug}/scorers`, {
    name: 'A scorer',
    type: 'exact_match',
    config: {},
    ...fields,
  });
const make = (fields: object) => makeScorer(client, project, { ...fields });
const patch = (id: string, body: unknown) => client('PATCH', `/v1/scorers/${id}`, body);
const keysOf = async (): Promise<string[]> =>
  (await client('GET', `/v1/projects/${project.slug}/scorers?pageSize=100`)).body.data.map(
    ({ key }: { key: string }) => key,
  );

test.each(SLUGS.good)('a scorer takes a key that is %s, on creation and later', async (_, key) => {
  const made = await make({ key });
  expect(made.key).toBe(key);
  expect((await patch(made.id, { key: 'moved' })).body.data.key).toBe('moved');
  const other = await make({});
  expect((await patch(other.id, { key })).body.data.key).toBe(key);
  expect(await keysOf()).toEqual([key, 'moved']);
});

test.each([...SLUGS.bad, ['of the form of a UUID', randomUUID()]])(
  'a key is refused that is %s, on creation and later',
  async (_, key) => {
    expectInvalid(await create({ key }), 'key');
    const present = await make({});
    expectInvalid(await patch(present.id, { key }), 'key');
    expect(await keysOf()).toEqual(['a-scorer']);
  },
);

test('a key that another scorer of the project has is refused by name, and free once that one is deleted', async () => {
  const [first, second] = [await make({ key: 'a' }), await make({ key: 'b' })];
  expectInvalid(await create({ key: 'a' }), 'key');
  expectInvalid(await patch(second.id, { key: 'a' }), 'key');
  expect((await client('DELETE', `/v1/scorers/${first.id}`)).status).toBe(204);
  expect((await patch(second.id, { key: 'a' })).body.data.key).toBe('a');
  expect((await create({ key: 'b' })).status).toBe(201);
  project = await makeProject(client);
  expect((await create({ key: 'a' })).status).toBe(201);
});

test('scorers of one name that are made at once get keys that differ', async () => {
  const made = await Promise.all(Array.from({ length: 10 }, () => create({})));
  expect(made.map(({ status }) => status)).toEqual(Array(10).fill(201));
  expect(new Set(await keysOf()).size).toBe(10);
});

test('a list by a key is of the one scorer that has it, or empty', async () => {
  const wanted = await make({ key: 'wanted', config: { case_sensitive: true } });
  await make({ key: 'newest' });
  const listed = async (query: string) =>
    (await client('GET', `/v1/projects/${project.slug}/scorers?${query}`)).body;
  const pagination = { page: 1, pageSize: 20, total: 1, hasMore: false };
  expect(await listed('key=wanted')).toEqual({ data: [wanted], pagination });
  for (const query of ['key=want', 'key=', `key=${wanted.id}`])
    expect(await listed(query)).toEqual({ data: [], pagination: { ...pagination, total: 0 } });
  expect((await listed('key=wanted&page=2')).data).toEqual([]);
});
