import { beforeAll, expect, test } from '@jest/globals';
import { covers } from '../../../shared/contracts/base/scopes.ts';
import { contracts } from '../../../shared/contracts/registry.ts';
import { type Api, api, sharedServiceUrl } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { expectData } from '../../support/expectations.ts';
import { makeKey, newOrganisation, type Organisation } from '../apiKeys/organisation.ts';

const url = sharedServiceUrl();

let organisation: Organisation;
const clients: Record<string, Api> = {};
beforeAll(async () => {
  organisation = await newOrganisation({ baseUrl: url });
  for (const scope of ['run', 'read', 'suites']) {
    clients[scope] = api(url, (await makeKey(organisation.client, { scope })).key);
  }
});

const OF_SUITES = ['baselines', 'cases', 'judgeChecks', 'scorers', 'suites'];

test('the scope "suites" writes suites with their cases and scorers', () => {
  const written = contracts.filter(({ scope }) => scope === 'suites');
  expect([...new Set(written.map(({ id }) => id.split('/')[0]))].sort()).toEqual(OF_SUITES);
});

/** Lists of credentials, and who changed what. */
const KEPT_FROM_READERS = [
  'apiKeys/list',
  'byokKeys/list',
  'history/organisationChanges',
  'history/projectChanges',
  'history/scorerChanges',
  'history/suiteChanges',
  'signIn/get',
  'trustedIssuers/list',
];

test('the scope "read" reads all but lists of credentials and the audit log, plans, signs in and out, and does nothing else', () => {
  const closed = contracts.filter(
    ({ access, scope = 'full' }) => access === 'api_key' && !covers('read', scope),
  );
  expect(
    closed
      .filter(({ method }) => method === 'GET')
      .map(({ id }) => id)
      .sort(),
  ).toEqual(KEPT_FROM_READERS);
  const open = contracts.filter((contract) => contract.access === 'api_key' && !closed.includes(contract));
  expect(open.filter(({ method }) => method !== 'GET').map(({ id }) => id)).toEqual([
    'auth/createSession',
    'auth/deleteSession',
    'auth/createCliCode',
    'definitions/put',
  ]);
});

test('a key of scope "read" plans a push as its author sees it, and puts none in force', async () => {
  const { slug } = await makeProject(organisation.client, { slug: 'planned' });
  const path = `/v1/projects/${slug}/suites/returns/definition`;
  const pushed = {
    version: 1,
    suite: 'returns',
    scorers: { says: { type: 'contains', config: { values: ['30 days'] } } },
    cases: [{ key: 'window', scorer: 'says', input: { q: 'How long?' } }],
  };
  expect((await organisation.client('PUT', path, { definition: pushed })).status).toBe(200);
  const changed = { ...pushed, cases: [{ ...pushed.cases[0], input: { q: 'Why?' } }] };
  const plan = (client: Api) => client('PUT', path, { definition: changed, dry_run: true });
  const { body } = await plan(clients.read!);
  expect(body.data.changes).toMatchObject([{ fields: { input: { to: { q: 'Why?' } } } }]);
  expect(body).toEqual((await plan(organisation.client)).body);
  const refused = await clients.read!('PUT', path, { definition: changed });
  expect(refused).toMatchObject({ status: 403, body: { error: { code: 'SCOPE_REQUIRED' } } });
  expect((await plan(organisation.client)).body).toEqual(body);
});

test.each([
  [
    'run',
    '/v1/projects',
    'This credential may create runs, read runs with what judged them, and suites one by one with their inputs, nothing else: send a credential of scope "read", "suites" or "full".',
  ],
  [
    'run',
    '/v1/api-keys',
    'This credential may create runs, read runs with what judged them, and suites one by one with their inputs, nothing else: send an API key of scope "full".',
  ],
  [
    'suites',
    '/v1/api-keys',
    'This credential may read and write suites, cases and scorers, create runs, read runs with what judged them, and suites one by one with their inputs, nothing else: send an API key of scope "full".',
  ],
  [
    'read',
    '/v1/api-keys',
    'This credential may read projects, suites, cases, scorers, runs and usage, nothing else: send an API key of scope "full".',
  ],
])(
  'a refusal of the scope "%s" at %s states what the credential may, and which one to send',
  async (...row) => {
    const [scope, path, message] = row;
    const { status, body } = await clients[scope]!('GET', path);
    expect({ status, body }).toEqual({ status: 403, body: { error: { code: 'SCOPE_REQUIRED', message } } });
  },
);

test('a key of scope suites of all projects makes no project, but sees each', async () => {
  const project = await makeProject(organisation.client, { name: 'Told' });
  const client = clients.suites!;
  expect((await client('POST', '/v1/projects', { name: 'Made' })).body.error.code).toBe('SCOPE_REQUIRED');
  expect((await client('PATCH', `/v1/projects/${project.slug}`, { name: 'Renamed' })).status).toBe(403);
  expect((await client('DELETE', `/v1/projects/${project.slug}`)).status).toBe(403);
  expect((await client('GET', '/v1/projects')).body.data).toContainEqual(project);
  expectData(await client('GET', `/v1/projects/${project.slug}`), 200, project);
});
