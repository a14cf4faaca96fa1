import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Api, api } from '../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import {
  buildkiteJob,
  circleciJob,
  GITLAB_FORK,
  gitlabJob,
  type JobOf,
  jenkinsJob,
  SHA,
} from '../../support/ciJobs.ts';
import { expectInvalid, TIMESTAMP, UUID } from '../../support/expectations.ts';
import { type Claims, type OidcIssuer, signingKey, startOidcIssuer } from '../../support/oidc.ts';
import { decoded } from '../../support/tokenKeys.ts';
import {
  expectLacking,
  expectRefused,
  expectToken,
  type Keyless,
  type KeylessOrganisation,
  startKeyless,
} from './keyless.ts';

/** Two that the service may call: one signs by RSA, one by an elliptic curve. */
let issuer: OidcIssuer;
let elliptic: OidcIssuer;
let keyless: Keyless;
beforeAll(async () => {
  [issuer, elliptic] = [await startOidcIssuer(), await startOidcIssuer('ec')];
  keyless = await startKeyless(issuer, elliptic);
});
afterAll(async () => {
  await keyless.stop();
  await issuer.stop();
  await elliptic.stop();
});

const PATH = '/v1/trusted-issuers';
const CIRCLE = 'oidc.circleci.com/';
const JENKINS = 'https://jenkins.example.com/job/gates/job/returns/';

interface System {
  readonly provider: string;
  readonly job: JobOf;
  /** What a registration binds. */
  readonly claims: Claims;
  /** Claims of a job of another project or pipeline. */
  readonly other: Claims;
  /** Of a registration that has no other; `HOST` is the issuer's. */
  readonly label: string;
  /** What the token's credential has beside type, registration, provider and issuer. */
  readonly credential: Claims;
}

const SYSTEMS: readonly System[] = [
  {
    provider: 'gitlab',
    job: gitlabJob,
    claims: { project_id: '20' },
    other: { project_id: '21', job_project_id: '21' },
    label: 'GitLab project_id 20',
    credential: {
      subject: '20',
      name: 'my-group/my-project',
      ref: 'refs/heads/main',
      sha: SHA,
      event_name: 'push',
      actor: 'sample-user',
      run_id: '574',
    },
  },
  {
    provider: 'buildkite',
    job: buildkiteJob,
    claims: { pipeline_id: '0184990a-4770-4f11-9cf4-6bbbf4f0fbd9' },
    other: { pipeline_id: '0184990a-4770-4f11-9cf4-6bbbf4f0fbd8' },
    label: 'Buildkite pipeline_id 0184990a-4770-4f11-9cf4-6bbbf4f0fbd9',
    credential: {
      subject: '0184990a-4770-4f11-9cf4-6bbbf4f0fbd9',
      name: 'super-duper-app',
      ref: 'main',
      sha: SHA,
      event_name: 'webhook',
      run_id: '0184990a-477b-4fa8-9968-496074483cee',
    },
  },
  {
    provider: 'circleci',
    job: circleciJob,
    claims: { [`${CIRCLE}project-id`]: '3a2f5b1c-7d4e-4f6a-9b8c-0d1e2f3a4b5c' },
    other: { [`${CIRCLE}project-id`]: '3a2f5b1c-7d4e-4f6a-9b8c-0d1e2f3a4b5d' },
    label: `CircleCI ${CIRCLE}project-id 3a2f5b1c-7d4e-4f6a-9b8c-0d1e2f3a4b5c`,
    credential: {
      subject: '3a2f5b1c-7d4e-4f6a-9b8c-0d1e2f3a4b5c',
      ref: 'refs/heads/main',
      run_id: '1f2e3d4c-5b6a-4978-8695-a4b3c2d1e0f9',
    },
  },
  {
    provider: 'other',
    job: jenkinsJob,
    claims: { sub: JENKINS },
    other: { sub: `${JENKINS}2/` },
    label: `HOST sub ${JENKINS}`,
    credential: { subject: JENKINS, name: JENKINS },
  },
];

interface Trusting {
  readonly org: KeylessOrganisation;
  /** As the issuer gives it to a job for this organisation. */
  tokenOf(more?: Claims): string;
  enter(more?: Claims, body?: unknown): ReturnType<Keyless['exchange']>;
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire is for the test to judge
  readonly registration: any;
}

/** An organisation that trusts the jobs of a system at an issuer. */
async function trusting(
  { provider, job, claims }: System,
  by = issuer,
  more: object = {},
): Promise<Trusting> {
  const org = await keyless.organisation();
  const answer = await org.client('POST', PATH, { issuer: by.url, provider, claims, ...more });
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 201 });
  const tokenOf = (more: Claims = {}) =>
    by.token(job(org.id, more, keyless.nowMs()), undefined, { typ: undefined });
  return {
    org,
    tokenOf,
    enter: (more, body) => keyless.exchange(tokenOf(more), body),
    registration: answer.body.data,
  };
}

async function gateOf(client: Api) {
  const project = await makeProject(client, { slug: 'app' });
  const suite = await makeSuite(client, project, { slug: 'gate' });
  await makeCase(client, suite, await makeScorer(client, project), { expected: 'yes' });
}

const [GITLAB, BUILDKITE, CIRCLECI, OTHER] = SYSTEMS as [System, System, System, System];

describe.each(SYSTEMS.map((system) => [system.provider, system] as const))(
  'a job of %s',
  (provider, system) => {
    const labelAt = ({ place }: OidcIssuer) => system.label.replace('HOST', place);

    test('comes in by ids for an hour, gates, and is named in created_by', async () => {
      for (const by of [issuer, elliptic]) {
        const { org, enter, registration } = await trusting(system, by);
        expect(registration).toEqual({
          id: UUID,
          for: 'jobs',
          provider,
          issuer: by.url,
          label: labelAt(by),
          claims: system.claims,
          scope: 'run',
          project_id: null,
          last_used_at: null,
          created_at: TIMESTAMP,
        });
        const token = expectToken(await enter());
        const claims = decoded(token, 1);
        const credential = { type: 'ci_job', registration_id: registration.id, provider, issuer: by.url };
        const { name = labelAt(by) } = system.credential;
        const created_by = { ...credential, ...system.credential, name };
        expect(claims).toMatchObject({ sub: org.id, scope: 'run', project_id: null });
        expect(claims.credential).toEqual(created_by);
        expect(Number(claims.exp) - Number(claims.iat)).toBe(3_600);

        await gateOf(org.client);
        const job = api(keyless.service.baseUrl, token);
        const verdict = await job('POST', '/v1/run', { suite: 'gate', output: 'yes' });
        expect(verdict).toMatchObject({ status: 200, body: { passed: true } });
        const run = (await org.client('GET', `/v1/runs/${verdict.body.id}`)).body.data;
        expect(run.created_by).toEqual({ ...created_by, label: name });
        expect(await org.registrations()).toEqual([{ ...registration, last_used_at: TIMESTAMP }]);
      }
    });

    test('gets the 401 of no credential by another id, organisation, audience, issuer, key, algorithm or time, or twice', async () => {
      const { org, enter, tokenOf } = await trusting(system);
      const stranger = await keyless.organisation();
      const hour = Math.floor(keyless.nowMs() / 1_000) - 7_200;
      for (const claims of [
        system.other,
        { aud: `evalgate:${stranger.id}` },
        { aud: org.id },
        { aud: [`evalgate:${org.id}`] },
        { iss: elliptic.url },
        { iat: hour, exp: hour + 3_600 },
        { iat: hour, exp: hour + 100 * 3_600 },
        { exp: undefined },
        { iat: undefined },
        { iat: hour + 14_400, exp: hour + 15_000 },
      ])
        expectRefused(await enter(claims));
      const job = system.job(org.id);
      const { kid } = issuer.keys[0]!;
      for (const token of [
        issuer.token(job, signingKey()),
        issuer.token(job, { ...signingKey(), kid }),
        issuer.token(job, { ...signingKey('ec'), kid }),
        issuer.token(job, undefined, { alg: 'none' }),
        issuer.token(job, undefined, { alg: 'HS256' }),
        issuer.token(job, undefined, { alg: 'ES256' }),
        issuer.token(job, undefined, { kid: undefined }),
      ])
        expectRefused(await keyless.exchange(token));
      expect(await org.registrations()).toMatchObject([{ last_used_at: null }]);
      const token = tokenOf();
      expectToken(await keyless.exchange(token));
      expectRefused(await keyless.exchange(token));
    });

    test('ends with its registration, at once', async () => {
      const { org, enter, registration } = await trusting(system);
      const job = api(keyless.service.baseUrl, expectToken(await enter()));
      expect((await job('GET', '/v1/whoami')).status).toBe(200);
      await org.client('DELETE', `${PATH}/${registration.id}`);
      expectRefused(await job('GET', '/v1/whoami'));
      expectRefused(await enter());
    });
  },
);

test.each([BUILDKITE, CIRCLECI, OTHER].map((system) => [system.provider, system] as const))(
  'a job of %s that asks for suites gets an error that names a key as the way out',
  async (_, system) => {
    const { enter } = await trusting(system);
    expectLacking(await enter({}, { scope: 'suites' }), /push with an API key of that scope/);
  },
);

test('a job of a fork gets no token by the project that it runs in, nor by its own', async () => {
  for (const claims of [{ project_id: '20' }, { project_id: '31' }, { namespace_id: ['72', '99'] }]) {
    const { enter } = await trusting({ ...GITLAB, claims });
    expectRefused(await enter(GITLAB_FORK));
    expectRefused(await enter({ ...GITLAB_FORK, project_id: '20', job_project_id: '31' }));
  }
});

test('a job that a person began again over SSH gets no token', async () => {
  const { enter } = await trusting(CIRCLECI);
  for (const rerun of [true, 'true', 1, null]) expectRefused(await enter({ [`${CIRCLE}ssh-rerun`]: rerun }));
  for (const rerun of [false, undefined])
    expectToken(await enter({ [`${CIRCLE}ssh-rerun`]: rerun, step: rerun ?? 0 }));
});

test('a job without the claim that identifies it, or with one that is no plain text, gets no token', async () => {
  const { enter } = await trusting({ ...GITLAB, claims: { namespace_id: '72' } });
  for (const project_id of [undefined, null, '', {}, ['20'], 20.5, '2\u200b0', 'x'.repeat(256)])
    expectRefused(await enter({ project_id, job_project_id: project_id }));
  const { credential } = decoded(expectToken(await enter({ project_id: 20 })), 1);
  expect(credential).toMatchObject({ subject: '20' });
});

test('the names of a job are shown without control characters, a hundred at most; a ref is never changed', async () => {
  const { enter } = await trusting(GITLAB);
  const names = { project_path: `a\u202eb${'😀'.repeat(200)}`, user_login: '\u0000' };
  const { credential } = decoded(
    expectToken(await enter({ ...names, ref_path: 'refs/heads/ma\u200bin' })),
    1,
  );
  expect(credential).toMatchObject({ name: `ab${'😀'.repeat(98)}` });
  for (const field of ['actor', 'ref']) expect(credential).not.toHaveProperty(field);
});

test('all conditions must fit, of several values one', async () => {
  const claims = { project_id: ['19', '20'], ref_protected: 'true', '/deep/roles': 'gate' };
  const { enter } = await trusting({ ...GITLAB, claims });
  expectToken(await enter({ deep: { roles: ['read', 'gate'] } }));
  for (const more of [{}, { deep: { roles: ['Gate'] } }, { deep: { roles: 'gate' }, ref_protected: 'false' }])
    expectRefused(await enter(more));
});

test('registrations for two projects are a 400, and the token is not spent by it', async () => {
  const { org, tokenOf, registration } = await trusting(GITLAB);
  for (const slug of ['one', 'two']) {
    await makeProject(org.client, { slug });
    const body = { issuer: issuer.url, provider: 'gitlab', claims: GITLAB.claims, project: slug };
    expect((await org.client('POST', PATH, body)).status).toBe(201);
  }
  const entered = decoded(expectToken(await keyless.exchange(tokenOf())), 1);
  expect(entered).toMatchObject({ project_id: null, credential: { registration_id: registration.id } });
  await org.client('DELETE', `${PATH}/${registration.id}`);
  const token = tokenOf();
  expectInvalid(await keyless.exchange(token), 'claims');
  const [last] = await org.registrations();
  await org.client('DELETE', `${PATH}/${last.id}`);
  expectToken(await keyless.exchange(token));
});

test('tokens of one key id and one jti at two issuers are two tokens, and neither opens the other’s door', async () => {
  const [one, two] = [issuer, await startOidcIssuer()];
  const both = await startKeyless(one, two);
  try {
    const kid = one.keys[0]!.kid;
    const twin = { ...two.keys[0]!, kid };
    two.keys.splice(0, 1, twin);
    const org = await both.organisation();
    for (const { url } of [one, two]) {
      const body = { issuer: url, provider: 'gitlab', claims: GITLAB.claims };
      expect((await org.client('POST', PATH, body)).status).toBe(201);
    }
    const job = gitlabJob(org.id, { jti: randomUUID() });
    expectRefused(await both.exchange(one.token(job, twin)));
    expectRefused(await both.exchange(two.token(job, one.keys[0])));
    for (const by of [one, two]) {
      expectToken(await both.exchange(by.token(job)));
      expectRefused(await both.exchange(by.token(job)));
    }
  } finally {
    await both.stop();
    await two.stop();
  }
});

test('an issuer that the organisation of the audience does not trust is never called', async () => {
  const strange = await startOidcIssuer();
  const own = await startKeyless(strange);
  try {
    const [org, other] = [await own.organisation(), await own.organisation()];
    const body = { issuer: strange.url, provider: 'gitlab', claims: GITLAB.claims };
    for (const { id } of [org, other]) expectRefused(await own.exchange(strange.token(gitlabJob(id))));
    expect(strange.called).toEqual([]);
    expect((await other.client('POST', PATH, body)).status).toBe(201);
    const calls = [...strange.called];
    expectRefused(await own.exchange(strange.token(gitlabJob(org.id), signingKey())));
    expect(strange.called).toEqual(calls);
    expectToken(await own.exchange(strange.token(gitlabJob(other.id))));
  } finally {
    await own.stop();
    await strange.stop();
  }
});

describe('keys of an issuer', () => {
  const START_MS = Date.parse('2027-01-01T00:00:00.000Z');

  async function withOwn(
    use: (by: OidcIssuer, trusted: { tokenOf(): string }, own: Keyless) => Promise<void>,
  ) {
    const by = await startOidcIssuer('ec');
    const own = await startKeyless(by);
    try {
      own.service.clock.ms = START_MS;
      const org = await own.organisation();
      const body = { issuer: by.url, provider: 'gitlab', claims: GITLAB.claims };
      expect((await org.client('POST', PATH, body)).status).toBe(201);
      await use(by, { tokenOf: () => by.token(gitlabJob(org.id, {}, own.nowMs())) }, own);
    } finally {
      await own.stop();
      await by.stop();
    }
  }
  const later = ({ service: { clock } }: Keyless, seconds: number) => {
    clock.ms = (clock.ms ?? 0) + seconds * 1_000;
  };

  test('that it takes into use later are accepted within a minute, of another kind, too', async () => {
    await withOwn(async (by, { tokenOf }, own) => {
      const old = tokenOf();
      by.keys.unshift(signingKey('rsa'));
      later(own, 60);
      expectToken(await own.exchange(tokenOf()));
      expectToken(await own.exchange(old));
      expect(by.fetches()).toBe(2);
    });
  });

  test('while it is down keep the tokens that they signed; of others the answer is a 503 that names the issuer', async () => {
    await withOwn(async (by, { tokenOf }, own) => {
      by.introduces((response) => void response.destroy());
      later(own, 7_200);
      expectToken(await own.exchange(tokenOf()));
      by.keys.unshift(signingKey('ec'));
      const unknown = tokenOf();
      expect(await own.exchange(unknown)).toMatchObject({
        status: 503,
        body: { error: { code: 'OIDC_ISSUER_UNAVAILABLE', message: expect.stringContaining(by.url) } },
      });
      by.introduces(undefined);
      later(own, 60);
      expectToken(await own.exchange(unknown));
    });
  });

  test('are fetched once a minute at most, whatever key ids come', async () => {
    await withOwn(async (by, { tokenOf }, own) => {
      for (const minute of [1, 2, 3]) {
        const org = decoded(tokenOf(), 1);
        const flood = Array.from({ length: 30 }, () => own.exchange(by.token(org, signingKey('ec'))));
        for (const answer of await Promise.all(flood)) expectRefused(answer);
        expectToken(await own.exchange(tokenOf()));
        expect(by.fetches()).toBe(minute);
        later(own, 60);
      }
    });
  });
});
