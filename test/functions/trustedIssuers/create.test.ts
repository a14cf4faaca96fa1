import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Api, api } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { expectData, expectInvalid, expectNotFound, TIMESTAMP, UUID } from '../../support/expectations.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';

let service: OwnService;
beforeAll(async () => {
  service = await startOwnService();
});
afterAll(() => service.stop());

let client: Api;
let account: { organisation: { id: string }; api_key: { id: string } };
beforeEach(async () => {
  account = (await api(service.baseUrl)('POST', '/v1/auth/signup', { name: 'Trusting' })).body.data;
  client = api(service.baseUrl, (account.api_key as unknown as { key: string }).key);
});

const PATH = '/v1/trusted-issuers';
const create = (body: unknown) => client('POST', PATH, body);
const total = async () => (await client('GET', PATH)).body.pagination.total;

const ANY = {
  id: UUID,
  for: 'jobs',
  provider: 'github',
  issuer: 'https://token.actions.githubusercontent.com',
  label: 'octo-org/app',
  claims: null,
  scope: 'run',
  ref: null,
  environment: null,
  workflow: null,
  job_workflow_ref: null,
  project_id: null,
  repository_id: null,
  repository_owner_id: null,
  last_used_at: null,
  created_at: TIMESTAMP,
};

describe('POST /v1/trusted-issuers', () => {
  test('trusts a repository, whatever the ref, environment, workflow and project', async () => {
    expectData(await create({ repository: 'Octo-Org/app.js_2' }), 201, {
      ...ANY,
      repository: 'Octo-Org/app.js_2',
      label: 'Octo-Org/app.js_2',
    });
  });

  test('trusts a repository under the conditions it is given', async () => {
    const project = await makeProject(client, { slug: 'app' });
    const conditions = {
      ref: 'refs/heads/größe/1',
      environment: 'Production (EU)',
      workflow: '.github/workflows/release gate.yaml',
      job_workflow_ref: `octo-org/central/.github/workflows/gate.yml@${'0123456789'.repeat(4)}`,
    };
    expectData(await create({ repository: 'octo-org/app', ...conditions, project: 'app' }), 201, {
      ...ANY,
      ...conditions,
      repository: 'octo-org/app',
      project_id: project.id,
    });
  });

  test('takes null as any', async () => {
    const any = { ref: null, environment: null, workflow: null, job_workflow_ref: null };
    const body = { repository: 'octo-org/app', ...any };
    expectData(await create(body), 201, { ...ANY, repository: 'octo-org/app' });
  });

  test.each([
    'branch',
    'Ref',
    'job_workflow',
    'jobWorkflowRef',
    'environments',
    'event_name',
    'project_slug',
    'id',
    'project_id',
    'repository_id',
    'repository_owner_id',
    'last_used_at',
  ])('refuses the condition %s, which it does not know, and trusts no job', async (field) => {
    const answer = await create({ repository: 'octo-org/app', [field]: 'x' });
    expectInvalid(answer, field);
    expect(answer.body.error.details.issues[0].message).toBe(
      'is not a field here: leave it out, or use one of for, scope, project, repository, ref, environment, workflow, job_workflow_ref, issuer, provider, claims, everyone, label',
    );
    expect(await total()).toBe(0);
  });

  test('is logged with the acting credential', async () => {
    const { id } = (await create({ repository: 'octo-org/app', ref: 'refs/heads/main' })).body.data;
    expect(service.log.filter((line) => line.code === 'issuer_trusted' && line.id === id)).toEqual([
      expect.objectContaining({
        level: 'info',
        org_id: account.organisation.id,
        by: { type: 'api_key', key_id: account.api_key.id },
        repository: 'octo-org/app',
        ref: 'refs/heads/main',
      }),
    ]);
  });

  test('asks for the repository', async () => {
    expectInvalid(await create({}), 'repository');
  });

  test.each([
    'app',
    'octo-org/',
    '/app',
    'octo-org/app/',
    'octo-org/app/main',
    'https://github.com/octo-org/app',
    'github.com/octo-org/app',
    'octo-org/*',
    '*/app',
    'octo.org/app',
    '-octo/app',
    'octo-org/a b',
    ' octo-org/app',
    'octo-org/app\n',
    'octo-org/äpp',
    'octo-org\\app',
    `octo-org/${'a'.repeat(101)}`,
    `${'a'.repeat(101)}/app`,
    '',
    null,
    7,
    ['octo-org/app'],
  ])('refuses the repository %j', async (repository) => {
    expectInvalid(await create({ repository }), 'repository');
    expect(await total()).toBe(0);
  });

  test.each([
    ['ref', ['main', 'heads/main', 'refs/', 'refs/heads/main ', 'refs/heads/\u200bmain', 'refs/heads/a\nb']],
    ['environment', ['prod ', ' prod', 'pr\u202eod', 'a\u0000b', 'x'.repeat(256)]],
    [
      'workflow',
      [
        'Gate',
        'gate',
        'gate.json',
        'ci/gate.yml',
        '.github/gate.yml',
        'o/r/.github/workflows/gate.yml',
        '.yml',
      ],
    ],
    [
      'job_workflow_ref',
      [
        'gate.yml',
        'gate.yml@refs/heads/main',
        '.github/workflows/gate.yml@refs/heads/main',
        'octo-org/central/.github/workflows/gate.yml',
        'octo-org/central/.github/workflows/gate.yml@',
        'octo-org/central/.github/workflows/gate.yml@main',
        'octo-org/central/.github/workflows/gate.yml@v1',
        'octo-org/central/.github/workflows/gate.yml@refs/',
        'octo-org/central/.github/workflows/gate.yml@7d444840',
        'octo-org/central/workflows/gate.yml@refs/heads/main',
        'octo-org/central/.github/workflows/a/gate.yml@refs/heads/main',
        'octo-org/*/.github/workflows/gate.yml@refs/heads/main',
        'octo-org/central/.github/workflows/gate.yml@refs/heads/main ',
        `octo-org/central/.github/workflows/gate.yml@refs/heads/${'x'.repeat(1_024)}`,
      ],
    ],
  ])('refuses a %s that no job could have', async (field, values) => {
    for (const value of [...values, '', 7, {}, ['x']]) {
      expectInvalid(await create({ repository: 'octo-org/app', [field]: value }), field);
    }
    expect(await total()).toBe(0);
  });

  test('names every field that is wrong', async () => {
    const body = { repository: 'app', ref: 'main', environment: '', workflow: 'x', project: 'No Slug' };
    expectInvalid(await create(body), ...Object.keys(body));
  });

  test('answers a project that is not there, or is gone, with 404', async () => {
    await makeProject(client, { slug: 'gone' });
    await client('DELETE', '/v1/projects/gone');
    for (const project of ['never', 'gone']) {
      expectNotFound(await create({ repository: 'octo-org/app', project }));
    }
    expect(await total()).toBe(0);
  });

  test('refuses a registration that is there already, however it is written', async () => {
    await makeProject(client, { slug: 'app' });
    const central = 'octo-org/central/.github/workflows/gate.yml@refs/heads/main';
    const one = {
      repository: 'octo-org/app',
      environment: 'prod',
      workflow: 'gate.yml',
      project: 'app',
      job_workflow_ref: central,
    };
    expect((await create(one)).status).toBe(201);
    for (const twin of [
      one,
      { ...one, repository: 'OCTO-ORG/App' },
      { ...one, environment: 'PROD' },
      { ...one, workflow: '.github/workflows/gate.yml' },
      { ...one, job_workflow_ref: central.replace('octo-org/central', 'Octo-Org/CENTRAL') },
    ]) {
      expectInvalid(await create(twin), 'repository');
    }
    for (const other of [
      { ...one, repository: 'octo-org/app2' },
      { ...one, environment: 'staging' },
      { ...one, environment: null },
      { ...one, workflow: null },
      { ...one, job_workflow_ref: null },
      { ...one, job_workflow_ref: central.replace('gate.yml', 'Gate.yml') },
      { ...one, ref: 'refs/heads/main' },
      { ...one, ref: 'refs/heads/Main' },
      { ...one, project: undefined },
      { ...one, scope: 'suites', ref: 'refs/heads/main' },
    ]) {
      expect((await create(other)).status).toBe(201);
    }
    expect(await total()).toBe(11);
  });

  test('makes one of ten equal ones that come at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => create({ repository: 'octo-org/app' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(400)]);
  });

  test('takes a hundred of an organisation and not one more, however they come', async () => {
    const batch = (from: number, count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, nth) => create({ repository: `octo-org/app-${from + nth}` })),
      );
    for (let from = 0; from < 90; from += 3) await batch(from, 3);
    const last = await batch(90, 15);
    expect(last.filter(({ status }) => status === 201)).toHaveLength(10);
    for (const answer of last) if (answer.status !== 201) expectInvalid(answer, 'repository');
    expect(await total()).toBe(100);
    const { body } = await client('GET', PATH);
    await client('DELETE', `${PATH}/${body.data[0].id}`);
    expect((await create({ repository: 'octo-org/one-more' })).status).toBe(201);
  });
});
