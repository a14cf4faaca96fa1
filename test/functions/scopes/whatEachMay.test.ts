import { beforeAll, describe, expect, test } from '@jest/globals';
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

const idsOf = (needed: string | undefined): string[] =>
  contracts
    .filter((contract) => contract.access === 'api_key')
    .filter((contract) => ('scope' in contract ? contract.scope : undefined) === needed)
    .map(({ id }) => id)
    .sort();

describe('what a scope opens is written down here a second time:', () => {
  test('everybody runs gates and reads runs', () => {
    expect(idsOf('run')).toEqual([
      ...['auth/whoami', 'definitions/put', 'runs/create', 'runs/get', 'runs/list', 'runs/results'],
      ...['suites/getById', 'suites/revision'],
    ]);
  });

  test('suites, cases and scorers are for the scope "suites"', () => {
    expect(idsOf('suites')).toEqual([
      ...['analytics/regressions', 'analytics/trends'],
      ...['cases/create', 'cases/delete', 'cases/get', 'cases/list', 'cases/reorder', 'cases/update'],
      ...['definitions/get', 'projects/get', 'projects/list'],
      ...['scorers/create', 'scorers/delete', 'scorers/get', 'scorers/list', 'scorers/update'],
      ...['suites/create', 'suites/createFromTemplate', 'suites/delete', 'suites/get', 'suites/list'],
      'suites/update',
    ]);
  });

  test('credentials, billing and projects themselves are for the scope "full"', () => {
    expect(idsOf(undefined)).toEqual([
      ...['apiKeys/create', 'apiKeys/delete', 'apiKeys/list'],
      ...['billing/checkout', 'billing/portal', 'billing/usage'],
      ...['byokKeys/create', 'byokKeys/delete', 'byokKeys/list', 'byokKeys/test'],
      ...['projects/create', 'projects/delete', 'projects/update'],
      ...['trustedRepositories/create', 'trustedRepositories/delete', 'trustedRepositories/list'],
    ]);
  });
});

test.each([
  [
    'run',
    '/v1/projects',
    'This credential may create runs, read runs, their results and suites by id, nothing else: send a credential of scope "suites" or "full".',
  ],
  [
    'run',
    '/v1/api-keys',
    'This credential may create runs, read runs, their results and suites by id, nothing else: send an API key of scope "full".',
  ],
  [
    'suites',
    '/v1/api-keys',
    'This credential may read and write suites, cases and scorers, create runs, read runs, their results and suites by id, nothing else: send an API key of scope "full".',
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
