import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ApiAnswer } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { expectInvalid } from '../../support/expectations.ts';
import {
  type JwksAnswer,
  json,
  jwkOf,
  type OidcIssuer,
  signingKey,
  startOidcIssuer,
  text,
} from '../../support/oidc.ts';
import { type Keyless, type KeylessOrganisation, startKeyless } from '../auth/keyless.ts';

let issuer: OidcIssuer;
let unlisted: OidcIssuer;
let keyless: Keyless;
beforeAll(async () => {
  [issuer, unlisted] = [await startOidcIssuer(), await startOidcIssuer()];
  keyless = await startKeyless(issuer);
});
afterAll(async () => {
  await keyless.stop();
  await issuer.stop();
  await unlisted.stop();
});

let org: KeylessOrganisation;
beforeEach(async () => {
  org = await keyless.organisation();
});

const register = (body: unknown): Promise<ApiAnswer> => org.client('POST', '/v1/trusted-issuers', body);
const other = (fields: object) => register({ issuer: issuer.url, claims: { sub: 'job' }, ...fields });
const withClaims = (claims: unknown) => other({ claims });

describe('a loose registration is a 400:', () => {
  const CIRCLE_ORG = 'https://oidc.circleci.com/org/c9035eb6-6eb2-4c85-8a81-d9ed6a1d1d1e';
  test.each<readonly [string, object]>([
    ['GitLab by name', { provider: 'gitlab', claims: { project_path: 'g/p', ref_path: 'refs/heads/main' } }],
    ['GitLab by the running project alone', { provider: 'gitlab', claims: { job_project_id: '20' } }],
    ['GitLab by a pointer', { provider: 'gitlab', claims: { '/project_id': '20' } }],
    ['gitlab.com by subject', { issuer: 'https://gitlab.com', claims: { sub: 'project_path:g/p' } }],
    [
      'Buildkite by slug',
      { provider: 'buildkite', claims: { pipeline_slug: 'app', organization_slug: 'acme' } },
    ],
    [
      'agent.buildkite.com by subject',
      { issuer: 'https://agent.buildkite.com', claims: { sub: 'organization:a' } },
    ],
    [
      'CircleCI by origin',
      { issuer: CIRCLE_ORG, claims: { 'oidc.circleci.com/vcs-origin': 'github.com/o/r' } },
    ],
    ['another system without its subject', { claims: { aud: 'x' } }],
    ['no claims', { claims: {} }],
    ['no field claims', { claims: undefined }],
    ['claims in a list', { claims: ['sub'] }],
    ['a pattern', { claims: { sub: 'job/*' } }],
    ['a pattern in a list', { claims: { sub: ['job', 'job/*'] } }],
    ['no value', { claims: { sub: [] } }],
    ['an empty value', { claims: { sub: '' } }],
    ['a number', { claims: { sub: 7 } }],
    ['a blank before a value', { claims: { sub: ' job' } }],
    ['an invisible character', { claims: { sub: 'jo\u200bb' } }],
    ['21 values', { claims: { sub: Array.from({ length: 21 }, (_, nth) => `job${nth}`) } }],
    [
      '11 names',
      { claims: Object.fromEntries(Array.from({ length: 11 }, (_, nth) => [nth ? `c${nth}` : 'sub', 'x'])) },
    ],
    ['more than 2 kB', { claims: { sub: ['x'.repeat(1_020), 'y'.repeat(1_020)] } }],
  ])('%s', async (_, fields) => {
    const { body, status } = await other(fields);
    expect({ status, path: body.error.details.issues[0].path.split('.')[0] }).toEqual({
      status: 400,
      path: 'claims',
    });
    expect(await org.registrations()).toEqual([]);
  });

  test.each(['preferred_username', 'upn', 'unique_name', 'name', 'nickname', '/name', '/preferred_username'])(
    'the name %s, which another person can take',
    async (name) => {
      const answer = await withClaims({ sub: 'job', [name]: 'mona' });
      expectInvalid(answer, `claims.${name}`);
    },
  );

  test.each(['', '/', '/a/', '/a//b', '/a~2', '/~', 'a\nb'])(
    'the name %j, which leads to no claim',
    async (name) => {
      expect((await withClaims({ sub: 'job', [name]: 'x' })).status).toBe(400);
    },
  );

  test('the name __proto__', async () => {
    const body = `{"issuer": "${issuer.url}", "claims": {"sub": "job", "__proto__": "x"}}`;
    expectInvalid(await register(body), 'claims');
  });

  test.each<readonly [string, object, string]>([
    ['a wide scope', { scope: 'full' }, 'scope'],
    ['a scope that reads', { scope: 'read' }, 'scope'],
    [
      'another provider than the issuer is known for',
      { issuer: 'https://gitlab.com', provider: 'other' },
      'provider',
    ],
    [
      'an own GitLab that is not named as one',
      { provider: undefined, claims: { project_id: '20' } },
      'provider',
    ],
    ['a provider that is unknown', { provider: 'travis' }, 'provider'],
    ['the issuer of GitHub', { issuer: 'https://token.actions.githubusercontent.com' }, 'issuer'],
    ['no issuer', { issuer: undefined }, 'issuer'],
    ['a label with a line break', { label: 'a\nb' }, 'label'],
    ['a long label', { label: 'x'.repeat(101) }, 'label'],
    ['a field of GitHub’s form', { ref: 'refs/heads/main' }, 'ref'],
    ['a field that is unknown', { subject: 'job' }, 'subject'],
  ])('%s', async (_, fields, path) => {
    expectInvalid(await other(fields), path);
  });

  test('fields of another system beside a repository', async () => {
    expectInvalid(
      await register({ repository: 'o/r', issuer: issuer.url, claims: { sub: 'x' } }),
      'issuer',
      'claims',
    );
  });

  test('the deployment’s own issuer of GitHub', async () => {
    expectInvalid(await other({ issuer: keyless.issuer.url }), 'issuer');
  });
});

describe('the scope suites', () => {
  const GOOD = {
    project_id: '20',
    ref_path: 'refs/heads/main',
    ci_config_ref_uri: 'gitlab.example.com/g/p//.gitlab-ci.yml@refs/heads/main',
  };
  beforeEach(async () => {
    await makeProject(org.client, { slug: 'bot' });
  });
  const suites = (fields: object) =>
    other({ provider: 'gitlab', scope: 'suites', project: 'bot', claims: GOOD, ...fields });

  test('is for one project of GitLab, one branch, one file and one project here', async () => {
    expect((await suites({})).body.data).toMatchObject({ scope: 'suites', provider: 'gitlab', claims: GOOD });
  });

  test.each<readonly [string, object, string]>([
    ['without a project here', { project: undefined }, 'project'],
    ['with a namespace', { claims: { ...GOOD, project_id: undefined, namespace_id: '72' } }, 'claims'],
    ['with two projects', { claims: { ...GOOD, project_id: ['20', '21'] } }, 'claims'],
    ['without a branch', { claims: { ...GOOD, ref_path: undefined } }, 'claims'],
    ['with two branches', { claims: { ...GOOD, ref_path: ['refs/heads/main', 'refs/heads/dev'] } }, 'claims'],
    ['with a tag', { claims: { ...GOOD, ref_path: 'refs/tags/v1' } }, 'claims'],
    ['without a file', { claims: { ...GOOD, ci_config_ref_uri: undefined } }, 'claims'],
    ['with two files', { claims: { ...GOOD, ci_config_ref_uri: ['a', 'b'] } }, 'claims'],
  ])('is no registration’s %s', async (_, fields, path) => {
    expectInvalid(await suites(fields), path);
  });

  test.each([
    ['buildkite', { pipeline_id: 'x' }],
    ['circleci', { 'oidc.circleci.com/project-id': 'x' }],
    ['other', { sub: 'x' }],
  ])('is none of %s: the answer names a key as the way out', async (provider, claims) => {
    const answer = await suites({ provider, claims });
    expectInvalid(answer, 'scope');
    expect(answer.body.error.details.issues[0].message).toMatch(/push with an API key of that scope/);
  });
});

test('equal registrations are a 400, however they are written', async () => {
  expect((await withClaims({ sub: 'job', ref: ['a', 'b'] })).status).toBe(201);
  for (const claims of [
    { sub: 'job', ref: ['a', 'b'] },
    { ref: ['b', 'a', 'b'], sub: ['job'] },
  ])
    expectInvalid(await withClaims(claims), 'claims');
  expectInvalid(await other({ claims: { sub: 'job', ref: ['a', 'b'] }, label: 'Another name' }), 'claims');
  for (const claims of [{ sub: 'job' }, { sub: 'job', ref: 'a' }, { sub: 'Job', ref: ['a', 'b'] }])
    expect((await withClaims(claims)).status).toBe(201);
});

/** Of what is refused without a look, and of what could not be read: the text is one, and quotes nothing. */
const UNREADABLE = /^cannot be read: its address must answer with the discovery document/;
function expectUnreadable(answer: ApiAnswer): void {
  expectInvalid(answer, 'issuer');
  expect(answer.body.error.details.issues[0].message).toMatch(UNREADABLE);
}

describe('an issuer is not called', () => {
  test.each([
    'https://127.0.0.1',
    'https://[::1]',
    'https://[::ffff:7f00:1]',
    'https://[64:ff9b::7f00:1]',
    'https://169.254.169.254',
    'https://10.0.0.1/oidc',
    'https://172.16.0.1',
    'https://192.168.1.1',
    'https://100.64.0.1',
    'https://[fd00::1]',
    'https://[fe80::1]',
    'https://0.0.0.0',
    'https://localhost',
    'https://localhost.',
    'https://gitlab.example.com:8443',
    'http://gitlab.example.com',
    'http://localhost',
  ])('at %s', async (url) => {
    expectUnreadable(await other({ issuer: url }));
  });

  test('at loopback, unless it is on the list of the operator', async () => {
    expectUnreadable(await other({ issuer: unlisted.url }));
    const place = unlisted.place.replace('127.0.0.1', 'localhost');
    expectUnreadable(await other({ issuer: `http://${place}` }));
    expect(unlisted.called).toEqual([]);
    expect((await other({})).status).toBe(201);
  });

  test.each([
    'https://2130706433',
    'https://0x7f.1',
    'https://0177.0.0.1',
    'https://127.1',
    'https://[::ffff:127.0.0.1]',
    'https://user@gitlab.com',
    'https://user:secret@gitlab.com',
    'https://gitlab.com?x',
    'https://gitlab.com#x',
    'https://gitlab.com/a/../b',
    'https://gitlab.com/%2e%2e/b',
    'https://GITLAB.com',
    'https://gitlab.com:443',
    'https://gitlab.com\\@10.0.0.1',
    'https://gitl\tab.com',
    ' https://gitlab.com',
    'ftp://gitlab.com',
    'file:///etc/passwd',
    'gitlab.com',
    `https://gitlab.com/${'x'.repeat(300)}`,
    '',
  ])('by a text that is no plain address: %j', async (url) => {
    const answer = await other({ issuer: url });
    expectInvalid(answer, 'issuer');
    expect(answer.body.error.details.issues[0].message).toMatch(/^must be the address of an issuer/);
  });
});

describe('an issuer is a 400 that quotes nothing of what was read where', () => {
  let lying: OidcIssuer;
  let inner: OidcIssuer;
  let own: Keyless;
  beforeEach(async () => {
    [lying, inner] = [await startOidcIssuer(), await startOidcIssuer()];
    own = await startKeyless(lying);
    org = await own.organisation();
  });
  afterEach(async () => {
    await own.stop();
    await lying.stop();
    await inner.stop();
  });

  const SECRET = 'secret-of-the-inner-service';
  const discovery = (fields: object): JwksAnswer =>
    json({ issuer: lying.url, jwks_uri: `${lying.url}/.well-known/jwks`, note: SECRET, ...fields });
  const flood: JwksAnswer = (response) => {
    response.writeHead(200).write('{');
    const timer = setInterval(() => response.write(' '.repeat(50_000)), 1);
    response.once('close', () => clearInterval(timer));
  };
  test.each<readonly [string, () => void]>([
    [
      'its discovery redirects',
      () => lying.introduces((response) => response.writeHead(302, { location: inner.url }).end()),
    ],
    ['its discovery is an error', () => lying.introduces(text(SECRET, 500))],
    ['its discovery is no JSON', () => lying.introduces(text(SECRET))],
    ['its discovery does not end', () => lying.introduces(flood)],
    ['it does not answer', () => lying.introduces((response) => void response.destroy())],
    ['it names another issuer', () => lying.introduces(discovery({ issuer: inner.url }))],
    [
      'it names keys at an inner address',
      () => lying.introduces(discovery({ jwks_uri: `${inner.url}/.well-known/jwks` })),
    ],
    ['it names keys at a file', () => lying.introduces(discovery({ jwks_uri: 'file:///etc/passwd' }))],
    [
      'it names a token endpoint at an inner address',
      () => lying.introduces(discovery({ token_endpoint: inner.url })),
    ],
    [
      'its keys redirect',
      () => lying.answers((response) => response.writeHead(307, { location: inner.url }).end()),
    ],
    ['its keys are none', () => lying.answers(json({ keys: [], note: SECRET }))],
    ['its keys do not end', () => lying.answers(flood)],
    ['its keys are too many', () => lying.answers(json({ keys: Array(101).fill(jwkOf(signingKey('ec'))) }))],
  ])('%s', async (_, lie) => {
    lie();
    const answer = await register({ issuer: lying.url, claims: { sub: 'job' } });
    expectUnreadable(answer);
    expect(inner.called).toEqual([]);
    const logged = own.service.log.filter(({ code }) => code === 'trusted_issuer_unavailable');
    expect(logged).toHaveLength(1);
    for (const text of [JSON.stringify(answer.body), JSON.stringify(own.service.log)]) {
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain(inner.url);
    }
    expect(await org.registrations()).toEqual([]);
  });

  test('it stalls: the service gives up', async () => {
    lying.introduces((response) => void response.writeHead(200).write('{'));
    expectUnreadable(await register({ issuer: lying.url, claims: { sub: 'job' } }));
  });
});
