import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { api } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { expectInvalid } from '../../support/expectations.ts';
import { aRepository, type Claims } from '../../support/oidc.ts';
import { decoded } from '../../support/tokenKeys.ts';
import { expectLacking, expectRefused, expectToken, type Keyless, startKeyless } from './keyless.ts';
import { PUSHER, pushing, SUITES, workflowRef } from './pushing.ts';

let keyless: Keyless;
beforeAll(async () => {
  keyless = await startKeyless();
});
afterAll(() => keyless.stop());

const SHA = '7d444840a9c1f0b6a3b8f5f8f0f4c4a2d0c7e1ab';

describe('a job that is trusted with suites gets a token of that scope for its project', () => {
  test.each(['push', 'workflow_dispatch', 'schedule'])('where the event is %s', async (event_name) => {
    const { ask, org, repository, project, registration } = await pushing(keyless);
    const token = expectToken(await ask({ event_name }));
    const credential = {
      type: 'github_actions',
      registration_id: registration.id,
      repository: repository.name,
      repository_id: repository.id,
      repository_owner_id: repository.ownerId,
      actor: 'octocat',
      event_name,
      ref: 'refs/heads/main',
      sha: SHA,
      workflow: '.github/workflows/push.yml',
      job_workflow_ref: `${repository.name}/.github/workflows/gate.yml@refs/heads/main`,
      run_id: '17234567890',
      run_attempt: '1',
    };
    const claims = decoded(token, 1);
    expect(claims).toMatchObject({ sub: org.id, scope: 'suites', project_id: project.id });
    expect(claims.credential).toEqual(credential);
    expect(Number(claims.exp) - Number(claims.iat)).toBe(900);
    const { data } = (await api(keyless.service.baseUrl, token)('GET', '/v1/whoami')).body;
    expect(data).toMatchObject({ scope: 'suites', project: { id: project.id, slug: 'bot' } });
    const label = `${repository.name}, .github/workflows/push.yml`;
    expect(data.credential).toEqual({ ...credential, label });
  });

  test('where its token states that its ref is protected as true, not as text', async () => {
    const { ask } = await pushing(keyless);
    expect(decoded(expectToken(await ask({ ref_protected: true })), 1).scope).toBe('suites');
  });

  test.each<readonly [string, Claims]>([
    ['no commit', { sha: undefined }],
    ['a commit that is none', { sha: 'main; rm -rf' }],
    ['a commit that is no text', { sha: 7 }],
  ])('whose `source` has no commit if its token names %s', async (_, claims) => {
    const { ask } = await pushing(keyless);
    expect(decoded(expectToken(await ask(claims)), 1).credential).not.toHaveProperty('sha');
  });

  test('of the longest digest of a commit that Git has', async () => {
    const { ask } = await pushing(keyless);
    const sha = SHA.slice(0, 32).repeat(2);
    expect(decoded(expectToken(await ask({ sha })), 1).credential).toMatchObject({ sha });
  });

  test('which stays small', async () => {
    const { ask } = await pushing(keyless);
    expect(expectToken(await ask()).length).toBeLessThan(1_500);
  });
});

describe('the scope is that which the job asks for', () => {
  test.each([
    ['without a body', undefined],
    ['with an empty one', ''],
    ['with one that names none', {}],
    ['by name', { scope: 'run' }],
  ])('run, %s', async (_, body) => {
    const { org, repository } = await keyless.trusting();
    const claims = decoded(expectToken(await org.enter(repository, {}, body)), 1);
    expect(claims).toMatchObject({ scope: 'run', credential: { sha: SHA } });
  });

  test.each(['full', 'admin', 'Suites', '', null, ['suites'], { run: true }])(
    'and %j is none: a 400 that spends nothing',
    async (scope) => {
      const { org, repository } = await keyless.trusting();
      const token = org.tokenOf(repository);
      expectInvalid(await keyless.exchange(token, { scope }), 'scope');
      expectToken(await keyless.exchange(token));
    },
  );

  test('scope, project and conditions come from one registration, so that two do not clash', async () => {
    const { ask, org, repository, project, registration, tokenOf } = await pushing(keyless);
    const gates = await org.trust(repository);
    await makeProject(org.client, { slug: 'other' });
    await org.trust(repository, { ...PUSHER, project: 'other', workflow: 'other.yml' });
    for (const [token, scope, project_id, registration_id] of [
      [expectToken(await ask()), 'suites', project.id, registration.id],
      [expectToken(await keyless.exchange(tokenOf())), 'run', null, gates.id],
    ] as const) {
      expect(decoded(token, 1)).toMatchObject({ scope, project_id, credential: { registration_id } });
    }
    // The registration for gates takes any ref, and lends that to no other.
    expectLacking(await ask({ ref: 'refs/heads/feature' }), /^No registration of the scope "suites"/);
  });

  test('two projects of one workflow are a 400 as ever, and the token is not spent by it', async () => {
    const { org, repository, tokenOf } = await pushing(keyless);
    await makeProject(org.client, { slug: 'other' });
    const { id } = await org.trust(repository, { ...PUSHER, project: 'other' });
    const token = tokenOf();
    const answer = await keyless.exchange(token, SUITES);
    expectInvalid(answer, 'repository');
    expect(answer.body.error.details.issues[0].message).not.toMatch(/without a project/);
    await org.client('DELETE', `/v1/trusted-issuers/${id}`);
    expectToken(await keyless.exchange(token, SUITES));
  });

  test('a job that is trusted with suites only gets an error that shows how to request them', async () => {
    const { tokenOf } = await pushing(keyless);
    const token = tokenOf();
    for (const body of [undefined, {}, { scope: 'run' }]) {
      expectLacking(await keyless.exchange(token, body), /ask for it with \{"scope": "suites"\}/);
    }
    expectToken(await keyless.exchange(token, SUITES));
  });

  test('a job whose own registration is for gates only gets an error that names what to register', async () => {
    const { org, repository } = await keyless.trusting();
    const token = org.tokenOf(repository, workflowRef(repository));
    expectLacking(
      await keyless.exchange(token, SUITES),
      /^No registration of the scope "suites" is for this/,
    );
    expect(await org.registrations()).toMatchObject([{ repository_id: null, last_used_at: null }]);
    expect(decoded(expectToken(await keyless.exchange(token)), 1).scope).toBe('run');
  });
});

test('a registration whose project is gone gives no suites away', async () => {
  const { ask, org } = await pushing(keyless);
  await org.client('DELETE', '/v1/projects/bot');
  await makeProject(org.client, { slug: 'bot' });
  expectLacking(await ask(), /^No registration of the scope "suites"/);
});

test('the token ends with its registration, at once', async () => {
  const { ask, org, registration } = await pushing(keyless);
  const job = api(keyless.service.baseUrl, expectToken(await ask()));
  expect((await job('GET', '/v1/projects/bot/suites')).status).toBe(200);
  await org.client('DELETE', `/v1/trusted-issuers/${registration.id}`);
  expectRefused(await job('GET', '/v1/projects/bot/suites'));
  expectRefused(await ask());
});

test('a repository without a registration gets the 401 of no credential, whatever it asks for', async () => {
  const { ask } = await pushing(keyless);
  expectRefused(await ask({}, aRepository()));
});
