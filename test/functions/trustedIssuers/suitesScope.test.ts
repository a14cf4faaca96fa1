import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeProject } from '../../support/builders.ts';
import { expectData, expectInvalid, expectNotFound } from '../../support/expectations.ts';
import { aRepository } from '../../support/oidc.ts';
import { type Keyless, type KeylessOrganisation, startKeyless } from '../auth/keyless.ts';
import { PUSHER } from '../auth/pushing.ts';

let keyless: Keyless;
let org: KeylessOrganisation;
beforeAll(async () => {
  keyless = await startKeyless();
  org = await keyless.organisation();
  await makeProject(org.client, { slug: 'bot' });
});
afterAll(() => keyless.stop());

const PATH = '/v1/trusted-issuers';
const register = (fields: Readonly<Record<string, unknown>>) =>
  org.client('POST', PATH, { repository: aRepository().name, ...PUSHER, ...fields });
const messagesOf = ({ body }: Awaited<ReturnType<typeof register>>): string[] =>
  body.error.details.issues.map(({ message }: { message: string }) => message);

test('a registration with the scope suites is answered and listed as it was made', async () => {
  const answer = await register({ environment: 'bar' });
  const { id, repository, project_id, created_at } = answer.body.data;
  const made = {
    id,
    for: 'jobs',
    provider: 'github',
    issuer: keyless.issuer.url,
    label: repository,
    claims: null,
    repository,
    project_id,
    created_at,
    scope: 'suites',
    ref: 'refs/heads/main',
    environment: 'bar',
    workflow: 'push.yml',
    job_workflow_ref: null,
    repository_id: null,
    repository_owner_id: null,
    last_used_at: null,
  };
  expectData(answer, 201, made);
  expect(await org.registrations()).toContainEqual(made);
  expect(keyless.service.log).toContainEqual(
    expect.objectContaining({ code: 'issuer_trusted', id, scope: 'suites' }),
  );
});

test.each([
  ['ref', null, 'must name one branch in full, such as "refs/heads/main", for the scope "suites"'],
  [
    'workflow',
    null,
    'must name the file of the workflow that pushes, such as "push.yml", for the scope "suites"',
  ],
  ['project', undefined, 'must name one project for the scope "suites"'],
])(
  'without %s a registration gets no scope suites, and the answer names what it lacks',
  async (field, none, message) => {
    const before = await org.registrations();
    const answer = await register({ [field]: none });
    expectInvalid(answer, field);
    expect(messagesOf(answer)).toEqual([message]);
    expectInvalid(
      await register({ ref: null, workflow: null, project: undefined }),
      'ref',
      'workflow',
      'project',
    );
    expect(await org.registrations()).toEqual(before);
  },
);

test.each([
  ['a tag', 'refs/tags/main'],
  ['a pull request', 'refs/pull/7/merge'],
  ['all branches', 'refs/heads/*'],
  ['some branches', 'refs/heads/release/**'],
  ['a branch by a letter', 'refs/heads/release-?'],
  ['a branch by a class', 'refs/heads/release-[12]'],
  ['a remote branch', 'refs/remotes/origin/main'],
  ['no name', 'refs/heads/'],
  ['two names', 'refs/heads/main refs/heads/dev'],
])('%s is no branch: %s', async (_, ref) => {
  expectInvalid(await register({ ref }), 'ref');
  expect((await register({ ref, scope: 'run' })).status).toBe(201);
});

test.each(['refs/heads/größe/1', 'refs/heads/dependabot/npm_and_yarn/@types/node-24.1'])(
  'a branch may be called %s',
  async (ref) => {
    expect((await register({ ref })).status).toBe(201);
  },
);

test.each(['full', 'admin', '', null, ['suites']])('a job is never trusted with %j', async (scope) => {
  expectInvalid(await register({ scope }), 'scope');
});

test('a project that is not there is a 404 here, too', async () => {
  expectNotFound(await register({ project: 'never' }));
});

test('the same conditions may be registered once for each scope', async () => {
  const { name: repository } = aRepository();
  for (const scope of ['run', 'suites']) expect((await register({ repository, scope })).status).toBe(201);
  for (const scope of ['run', 'suites']) expectInvalid(await register({ repository, scope }), 'repository');
});
