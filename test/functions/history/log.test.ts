import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DAY_MS } from '../../../shared/domain/time.ts';
import { type Api, api } from '../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { makeKey, newOrganisation, type Organisation } from '../apiKeys/organisation.ts';

let service: OwnService;
let organisation: Organisation;
let client: Api;
const T0 = Date.parse('2036-05-05T12:00:00.000Z');
beforeAll(async () => {
  service = await startOwnService();
  service.clock.ms = T0;
  organisation = await newOrganisation(service);
  client = organisation.client;
});
afterAll(() => service.stop());

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is for the test to judge
type Entry = any;
const entriesOf = async (path: string): Promise<Entry[]> => (await client('GET', path)).body.data;
const toldOf = ({ action, target: { type, key, name } }: Entry) => `${action} ${type} ${key ?? name}`;
const BY = () => ({ type: 'api_key', key_id: organisation.first.id, label: 'first key' });
const at = (ms: number) => {
  service.clock.ms = T0 + ms;
};

test('the log of a project names who made and deleted its suites, scorers, keys and trust, and who may push weaker bars', async () => {
  const project = await makeProject(client, { slug: 'bot' });
  const path = '/v1/projects/bot';
  const steps: readonly (() => Promise<unknown>)[] = [
    () => makeScorer(client, project, { key: 'says' }),
    () => makeSuite(client, project, { slug: 'returns' }),
    async () => {
      const [scorer] = await entriesOf(`${path}/scorers?key=says`);
      await client('PATCH', `/v1/scorers/${scorer.id}`, { config: { case_sensitive: false } });
      await client('DELETE', `/v1/scorers/${scorer.id}`);
    },
    () => client('PATCH', path, { weaker_pushes: 'full' }),
    () => makeKey(client, { name: 'CI', scope: 'run', project: 'bot' }),
    async () => {
      const ofCi = (await entriesOf('/v1/api-keys')).find(({ name }) => name === 'CI');
      await client('DELETE', `/v1/api-keys/${ofCi.id}`);
    },
    () => client('POST', '/v1/trusted-issuers', { repository: 'octo/bot', project: 'bot' }),
    async () => {
      const [trusted] = await entriesOf('/v1/trusted-issuers');
      await client('DELETE', `/v1/trusted-issuers/${trusted.id}`);
    },
    () => client('DELETE', `${path}/suites/returns`),
  ];
  for (const [index, step] of steps.entries()) {
    at(index + 1);
    await step();
  }
  const entries = await entriesOf(`${path}/changes`);
  expect(entries.map(toldOf).reverse()).toEqual([
    'created scorer says',
    'created suite returns',
    'updated scorer says',
    'deleted scorer says',
    'updated project bot',
    'created api_key CI',
    'revoked api_key CI',

    'created trusted_issuer octo/bot',
    'deleted trusted_issuer octo/bot',
    'deleted suite returns',
  ]);
  for (const { by, id } of entries) expect([by, id]).toEqual([BY(), expect.any(String)]);
  expect(entries[5]?.changes).toEqual({ weaker_pushes: { from: 'suites', to: 'full' } });
  expect(entries[5]?.at).toBe('2036-05-05T12:00:00.004Z');
  expect(entries[7]?.changes.config).toEqual({
    from: { case_sensitive: true },
    to: { case_sensitive: false },
  });
  expect(entries[4]?.changes).toMatchObject({ scope: { from: null, to: 'run' } });
  const pages = await Promise.all(
    [1, 2, 3, 4].map((page) => entriesOf(`${path}/changes?page=${page}&pageSize=3`)),
  );
  expect(pages.flat()).toEqual(entries);
  expect(pages.map((page) => page.length)).toEqual([3, 3, 3, 1]);
});

test('the log of the organisation names who made and deleted projects and anything bound to none, and holds no key', async () => {
  at(1_000);
  const project = await makeProject(client, { slug: 'gone', weaker_pushes: 'full' });
  const key = await makeKey(client, { name: 'Ops' });
  const byok = await client('POST', '/v1/byok-keys', {
    provider: 'openai',
    key: 'sk-secret-0123456789',
    name: 'Judge',
  });
  await client('DELETE', `/v1/byok-keys/${byok.body.data.id}`);
  await client('DELETE', `/v1/projects/${project.slug}`);
  await makeProject(client, { slug: 'gone' });
  const { data, pagination } = (await client('GET', '/v1/changes')).body;
  expect(data.slice(0, 6).map(toldOf).sort()).toEqual([
    'created api_key Ops',
    'created byok_key Judge',
    'created project gone',
    'created project gone',
    'deleted project gone',
    'revoked byok_key Judge',
  ]);
  expect(pagination.total).toBe(data.length);
  const text = JSON.stringify(data);
  expect([key.key, 'sk-secret', 'sk-'].filter((secret) => text.includes(secret))).toEqual([]);
  const weaker = data
    .filter(({ target }: Entry) => target.key === 'gone')
    .map(({ changes }: Entry) => changes.weaker_pushes);
  expect(weaker).toContainEqual({ from: 'full', to: null });
});

test('a log is for scope full, that of the organisation for no credential of one project, and is kept for a year', async () => {
  const bound = api(service.baseUrl, (await makeKey(client, { project: 'bot' })).key);
  const keeper = api(service.baseUrl, (await makeKey(client, { scope: 'suites' })).key);
  const paths = ['/v1/projects/bot/changes', '/v1/changes'];
  const statuses = (one: Api) => Promise.all(paths.map(async (path) => (await one('GET', path)).status));
  expect(await statuses(bound)).toEqual([200, 404]);
  expect(await statuses(keeper)).toEqual([403, 403]);
  const before = await entriesOf('/v1/changes');
  at(366 * DAY_MS);
  expect(before.length).toBeGreaterThan(0);
  expect(await entriesOf('/v1/changes')).toEqual([]);
  at(2_000);
});

test('what changed a deleted suite is read by its id, which the log names: the deletion first, without its texts', async () => {
  const project = await makeProject(client, { slug: 'history' });
  const scorer = await makeScorer(client, project);
  const suite = await makeSuite(client, project, { slug: 'returns' });
  await makeCase(client, suite, scorer, { input: { q: 'a secret input' }, expected: 'a secret' });
  const path = `/v1/suites/${suite.id}/changes`;
  const alive = await entriesOf(path);
  at(3_000);
  await client('DELETE', '/v1/projects/history/suites/returns');
  const [logged] = await entriesOf('/v1/projects/history/changes');
  expect(logged.target).toEqual({ type: 'suite', id: suite.id, key: 'returns', name: 'A suite' });
  const gone = await entriesOf(path);
  expect(gone[0]).toMatchObject({ action: 'deleted', by: BY(), target: logged.target, at: logged.at });
  expect(gone.slice(1).map(({ id, at: when, by }) => ({ id, when, by }))).toEqual(
    alive.map(({ id, at: when, by }) => ({ id, when, by })),
  );
  expect(JSON.stringify(alive)).toContain('secret');
  expect(JSON.stringify(gone)).not.toContain('secret');
  const pages = await Promise.all([1, 2].map((page) => entriesOf(`${path}?page=${page}&pageSize=2`)));
  expect(pages.flat()).toEqual(gone);
  const keeper = api(service.baseUrl, (await makeKey(client, { scope: 'suites' })).key);
  expect((await keeper('GET', path)).status).toBe(403);
  const other = (await newOrganisation(service)).client;
  expect((await other('GET', path)).status).toBe(404);
  await client('DELETE', '/v1/projects/history');
  expect((await client('GET', path)).status).toBe(404);
});
