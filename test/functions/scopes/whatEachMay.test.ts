import { beforeAll, expect, test } from '@jest/globals';
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
  for (const scope of ['run', 'suites']) {
    clients[scope] = api(url, (await makeKey(organisation.client, { scope })).key);
  }
});

const OF_SUITES = ['analytics', 'baselines', 'cases', 'definitions', 'scorers', 'suites', 'templates'];

test('the scope "suites" opens suites with their cases, scorers and figures, and reads projects', () => {
  const opened = contracts.filter((contract) => contract.scope === 'suites');
  const isRead = ({ id, method }: (typeof contracts)[number]) =>
    id.startsWith('projects/') && method === 'GET';
  const others = opened.filter((contract) => !isRead(contract)).map(({ id }) => id.split('/')[0] ?? '');
  expect(OF_SUITES).toEqual(expect.arrayContaining(others));
  expect(opened.length).toBeGreaterThan(10);
});

test.each([
  [
    'run',
    '/v1/projects',
    'This credential may create runs, read runs, their results, what judged them, suites one by one and the inputs that these show, nothing else: send a credential of scope "suites" or "full".',
  ],
  [
    'run',
    '/v1/api-keys',
    'This credential may create runs, read runs, their results, what judged them, suites one by one and the inputs that these show, nothing else: send an API key of scope "full".',
  ],
  [
    'suites',
    '/v1/api-keys',
    'This credential may read and write suites, cases and scorers, create runs, read runs, their results, what judged them, suites one by one and the inputs that these show, nothing else: send an API key of scope "full".',
  ],
])(
  'a refusal of the scope "%s" at %s says what the credential may, and which one to send',
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
  expect((await client('GET', '/v1/projects')).body.data).toEqual([project]);
  expectData(await client('GET', `/v1/projects/${project.slug}`), 200, project);
});
