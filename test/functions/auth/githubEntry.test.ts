import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aRepository, type Claims, jobClaims, signingKey } from '../../support/oidc.ts';
import { decoded } from '../../support/tokenKeys.ts';
import { expectRefused, expectToken, type Keyless, startKeyless } from './keyless.ts';

let keyless: Keyless;
beforeAll(async () => {
  keyless = await startKeyless();
});
afterAll(() => keyless.stop());

const CENTRAL = 'octo-org/central/.github/workflows/gate.yml@refs/heads/main';

describe('a job of a trusted repository gets a token for a quarter of an hour', () => {
  test.each([
    ['by name', (name: string) => `repo:${name}:ref:refs/heads/main`],
    ['by ids', (name: string) => `repo:${name.replace('/', '@123456/')}@456789:ref:refs/heads/main`],
    ['as the repository wants it', () => 'repository_visibility:private:actor:octocat'],
  ])('with a subject %s', async (_, sub) => {
    const { org, repository, registration } = await keyless.trusting();
    const answer = await org.enter(repository, { sub: sub(repository.name) });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const claims = decoded(expectToken(answer), 1);
    expect(claims).toMatchObject({
      sub: org.id,
      scope: 'run',
      project_id: null,
      credential: {
        type: 'github_actions',
        registration_id: registration.id,
        repository: repository.name,
        actor: 'octocat',
        ref: 'refs/heads/main',
        workflow: '.github/workflows/gate.yml',
        run_id: '17234567890',
      },
    });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(900);
    expect(answer.body.data.expires_at).toBe(new Date(Number(claims.exp) * 1_000).toISOString());
  });

  test('whatever the case of its name', async () => {
    const [org, repository] = [await keyless.organisation(), aRepository()];
    await org.trust({ ...repository, name: repository.name.toUpperCase() });
    expectToken(await org.enter(repository));
  });

  const MAIN = { ref: 'refs/heads/main' };
  test.each<readonly [string, Claims, Claims]>([
    ['its ref', MAIN, MAIN],
    ['its tag', { ref: 'refs/tags/v1.0' }, { ref: 'refs/tags/v1.0' }],
    ['its environment in another case', { environment: 'Production' }, { environment: 'pRODUCTION' }],
    ['its environment of other letters', { environment: 'Köln live' }, { environment: 'Köln live' }],
    ['its workflow', { workflow: 'gate.yml' }, {}],
    ['the path of its workflow', { workflow: '.github/workflows/gate.yml' }, {}],
    ['the reusable workflow it is of', { job_workflow_ref: CENTRAL }, { job_workflow_ref: CENTRAL }],
    [
      'the reusable workflow of a repository in another case',
      { job_workflow_ref: CENTRAL },
      { job_workflow_ref: CENTRAL.replace('octo-org/central', 'OCTO-org/Central') },
    ],
    ['all of them', { ...MAIN, environment: 'prod', workflow: 'gate.yml' }, { ...MAIN, environment: 'prod' }],
  ])('where the registration asks for %s', async (_, conditions, claims) => {
    const { org, repository } = await keyless.trusting(conditions);
    expectToken(await org.enter(repository, claims));
  });
});

/** What stands behind the file in `workflow_ref`, of a job of `refs/heads/main`. */
const OTHER_REFS = [
  '@refs/heads/feature',
  '@refs/heads/main2',
  '@refs/heads/Main',
  '@refs/heads/main ',
  '@refs/heads/main\n',
  '@refs/tags/main',
  '@refs/pull/7/merge',
  '@main',
  '@7d444840a9c1f0b6a3b8f5f8f0f4c4a2d0c7e1ab',
  '@',
  '',
];

describe('the same 401 as for no credential at all meets', () => {
  const KELVIN = '\u212a';
  const at = (file: string) => (name: string) => ({
    workflow_ref: `${name}/.github/workflows/${file}@refs/heads/main`,
  });
  test.each<readonly [title: string, conditions: Claims, claims: (name: string) => Claims]>([
    [
      'a fork',
      {},
      (name) => ({ repository: name.replace('octo-org', 'forker'), repository_owner: 'forker' }),
    ],
    ['a repository whose name goes on', {}, (name) => ({ repository: `${name}-2` })],
    ['a repository whose name ends earlier', {}, (name) => ({ repository: name.slice(0, -1) })],
    ['a repository that only its subject names', {}, () => ({ repository: 'evil/other' })],
    ['another ref', { ref: 'refs/heads/main' }, () => ({ ref: 'refs/heads/feature' })],
    ['a tag of the same name', { ref: 'refs/heads/main' }, () => ({ ref: 'refs/tags/main' })],
    ['a ref in another case', { ref: 'refs/heads/main' }, () => ({ ref: 'refs/heads/Main' })],
    ['a ref whose name goes on', { ref: 'refs/heads/main' }, () => ({ ref: 'refs/heads/main2' })],
    ['a ref below', { ref: 'refs/heads/main' }, () => ({ ref: 'refs/heads/main/x' })],
    ['a pull request', { ref: 'refs/heads/main' }, () => ({ ref: 'refs/pull/7/merge', base_ref: 'main' })],
    ['another environment', { environment: 'prod' }, () => ({ environment: 'staging' })],
    ['no environment', { environment: 'prod' }, () => ({})],
    [
      'an environment that looks the same',
      { environment: 'kiosk' },
      () => ({ environment: `${KELVIN}iosk` }),
    ],
    [
      'an environment that only its subject names',
      { environment: 'prod' },
      (name) => ({ sub: `repo:${name}:environment:prod` }),
    ],
    ['another workflow', { workflow: 'gate.yml' }, at('other.yml')],
    ['a workflow whose name begins like it', { workflow: 'gate.yml' }, at('gate.yml@x.yml')],
    ['a workflow whose name ends like it', { workflow: 'gate.yml' }, at('not-gate.yml')],
    ['a workflow in another case', { workflow: 'gate.yml' }, at('Gate.yml')],
    [
      "another repository's workflow of the same name",
      { workflow: 'gate.yml' },
      () => at('gate.yml')('octo-org/central'),
    ],
    [
      'a workflow that is not its own but calls it',
      { workflow: 'gate.yml' },
      (name) => ({
        ...at('other.yml')(name),
        job_workflow_ref: `${name}/.github/workflows/gate.yml@refs/heads/main`,
      }),
    ],
    ...[
      CENTRAL.replace('@refs/heads/main', '@refs/heads/feature'),
      CENTRAL.replace('@refs/heads/main', '@refs/heads/main2'),
      CENTRAL.replace('@refs/heads/main', '@refs/heads/Main'),
      CENTRAL.replace('@refs/heads/main', '@refs/tags/main'),
      CENTRAL.replace('gate.yml', 'Gate.yml'),
      CENTRAL.replace('octo-org/', 'evil/'),
      CENTRAL.replace('octo-org/central/', 'octo-org/'),
      `evil/${CENTRAL}`,
      '',
      7,
      [CENTRAL],
      undefined,
    ].map((job_workflow_ref): readonly [string, Claims, () => Claims] => [
      `the reusable workflow ${JSON.stringify(job_workflow_ref)}`,
      { job_workflow_ref: CENTRAL },
      () => ({ job_workflow_ref }),
    ]),
    [
      'a workflow of its own that calls the reusable one in another job',
      { job_workflow_ref: CENTRAL },
      () => ({ workflow_ref: CENTRAL }),
    ],
    ['a token of yesterday', {}, () => ({ iat: 1_700_000_000, nbf: 1_699_999_400, exp: 1_700_000_300 })],
    ['a token for later', {}, () => ({ nbf: Math.floor(Date.now() / 1_000) + 120 })],
    ...OTHER_REFS.flatMap((ref) =>
      [{ workflow: 'gate.yml' }, { ref: 'refs/heads/main' }].map(
        (conditions): readonly [string, Claims, (name: string) => Claims] => [
          `the file of ${JSON.stringify(ref)}, where ${Object.keys(conditions)} counts`,
          conditions,
          (name) => ({ workflow_ref: `${name}/.github/workflows/gate.yml${ref}` }),
        ],
      ),
    ),
    ["GitHub's default audience", {}, () => ({ aud: 'https://github.com/octo-org' })],
  ])('%s', async (_, conditions, claims) => {
    const { org, repository, registration } = await keyless.trusting(conditions);
    expectRefused(await org.enter(repository, claims(repository.name)));
    expect(await org.registrations()).toEqual([registration]);
  });

  test('a job that names its own organisation in a list', async () => {
    const { org, repository } = await keyless.trusting();
    expectRefused(await org.enter(repository, { aud: [`evalgate:${org.id}`] }));
  });

  test('a token of another key, of no key, of no algorithm, of another issuer', async () => {
    const { org, repository } = await keyless.trusting();
    const { issuer, exchange } = keyless;
    const claims = jobClaims(org.id, repository);
    const [kid, stranger] = [issuer.keys[0]!.kid, signingKey()];
    const unsigned = issuer.token(claims, undefined, { alg: 'none' }).replace(/[^.]*$/, '');
    for (const token of [
      issuer.token(claims, stranger),
      issuer.token(claims, { ...stranger, kid }),
      issuer.token(claims, undefined, { alg: 'none' }),
      issuer.token(claims, undefined, { alg: 'HS256' }),
      issuer.token({ ...claims, iss: 'https://token.actions.githubusercontent.com' }),
      unsigned,
      `${unsigned}AAAA`,
    ]) {
      expectRefused(await exchange(token));
    }
  });

  test('a token whose payload is not JSON, under a key id of the issuer', async () => {
    const header = { alg: 'RS256', typ: 'JWT', kid: keyless.issuer.keys[0]!.kid };
    const token = `${Buffer.from(JSON.stringify(header)).toString('base64url')}.e30x.AAAA`;
    expectRefused(await keyless.exchange(token));
  });

  test('the token that another one was exchanged for', async () => {
    const { org, repository } = await keyless.trusting();
    const token = expectToken(await org.enter(repository));
    expectRefused(await keyless.exchange(token));
    const ofKey = expectToken(await org.client('POST', '/v1/auth/token'));
    expectRefused(await keyless.exchange(ofKey));
  });

  test('the token of a job anywhere but where it is exchanged', async () => {
    const { org, repository } = await keyless.trusting();
    const { baseUrl } = keyless.service;
    const authorization = `Bearer ${org.tokenOf(repository)}`;
    const answer = await fetch(`${baseUrl}/v1/projects`, { headers: { authorization } });
    expect(answer.status).toBe(401);
  });
});

describe('no organisation gets what another one was trusted with:', () => {
  test('a job that asks for an organisation that does not trust its repository', async () => {
    const [{ repository }, other] = [await keyless.trusting(), await keyless.organisation()];
    expectRefused(await other.enter(repository));
  });

  test('a job of one organisation in a token for another', async () => {
    const [one, two] = [await keyless.trusting(), await keyless.trusting()];
    expectRefused(await one.org.enter(one.repository, { aud: `evalgate:${two.org.id}` }));
  });

  test('an organisation that does not exist', async () => {
    const { org, repository } = await keyless.trusting();
    expectRefused(await org.enter(repository, { aud: 'evalgate:00000000-0000-4000-8000-000000000000' }));
  });

  test('an organisation that registers a foreign repository gets nothing from its jobs, and takes nothing from its owner', async () => {
    const squatter = await keyless.organisation();
    const repository = aRepository();
    await squatter.trust(repository);
    const owner = await keyless.organisation();
    await owner.trust(repository);
    expectToken(await owner.enter(repository));
    expect(await squatter.registrations()).toMatchObject([{ repository_id: null, last_used_at: null }]);
    expect(await owner.registrations()).toMatchObject([{ repository_id: repository.id }]);
  });
});

describe('where several registrations trust a job', () => {
  test('the one for all projects counts', async () => {
    const { org, repository, registration } = await keyless.trusting();
    const project = (await org.client('POST', '/v1/projects', { name: 'One' })).body.data;
    await org.trust(repository, { project: project.slug });
    const { project_id, credential } = decoded(expectToken(await org.enter(repository)), 1);
    expect({ project_id, credential }).toMatchObject({
      project_id: null,
      credential: { registration_id: registration.id },
    });
  });

  test('two for different projects are a 400, and the token is not spent by it', async () => {
    const [org, repository] = [await keyless.organisation(), aRepository()];
    const registrations = [];
    for (const name of ['One', 'Two']) {
      const project = (await org.client('POST', '/v1/projects', { name })).body.data;
      registrations.push(await org.trust(repository, { project: project.slug }));
    }
    const token = org.tokenOf(repository);
    const answer = await keyless.exchange(token);
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: { issues: [{ path: 'repository' }] } } },
    });
    await org.client('DELETE', `/v1/trusted-issuers/${registrations[0].id}`);
    const claims = decoded(expectToken(await keyless.exchange(token)), 1);
    expect(claims.project_id).toBe(registrations[1].project_id);
  });

  test('one whose project is gone does not take part, nor does it trust anybody by itself', async () => {
    const [org, repository] = [await keyless.organisation(), aRepository()];
    for (const name of ['gone', 'kept']) {
      await org.client('POST', '/v1/projects', { name, slug: name });
      await org.trust(repository, { project: name });
    }
    const [kept, gone] = await org.registrations();
    await org.client('DELETE', '/v1/projects/gone');
    // Another project under the old slug is another project.
    await org.client('POST', '/v1/projects', { name: 'gone', slug: 'gone' });
    expect(decoded(expectToken(await org.enter(repository)), 1)).toMatchObject({
      project_id: kept.project_id,
      credential: { registration_id: kept.id },
    });
    await org.client('DELETE', `/v1/trusted-issuers/${kept.id}`);
    const token = org.tokenOf(repository);
    expectRefused(await keyless.exchange(token));
    expect(await org.registrations()).toMatchObject([{ id: gone.id, last_used_at: null }]);
    await org.trust(repository, { project: 'gone' });
    expectToken(await keyless.exchange(token));
  });

  test('each workflow has its own project', async () => {
    const [org, repository] = [await keyless.organisation(), aRepository()];
    for (const name of ['one', 'two']) {
      await org.client('POST', '/v1/projects', { name });
      await org.trust(repository, { project: name, workflow: `${name}.yml` });
    }
    for (const { workflow, project_id } of await org.registrations()) {
      const workflow_ref = `${repository.name}/.github/workflows/${workflow}@refs/heads/main`;
      expect(decoded(expectToken(await org.enter(repository, { workflow_ref })), 1)).toMatchObject({
        project_id,
      });
    }
  });
});
