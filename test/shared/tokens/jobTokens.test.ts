import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JobClaims, JobTokens } from '../../../shared/domain/accounts/ports.ts';
import { keySetStore } from '../../../shared/storage/accounts/keySets.ts';
import { githubJobTokens, keySetUrl } from '../../../shared/tokens/jobTokens.ts';
import { MemoryTable } from '../../support/memory/memoryTable.ts';
import {
  aRepository,
  type Claims,
  jobClaims,
  jwkOf,
  type OidcIssuer,
  signedJwt,
  signingKey,
  startOidcIssuer,
} from '../../support/oidc.ts';
import { base64url } from '../../support/tokenKeys.ts';

const NOW_MS = Date.parse('2026-05-05T10:00:00.750Z');
const NOW_S = Math.floor(NOW_MS / 1_000);
const ORG = randomUUID();
const REPOSITORY = aRepository('octo-org/app');
const CLAIMS = jobClaims(ORG, REPOSITORY, NOW_MS);
const SHA = String(CLAIMS.sha);
const stranger = signingKey();

let issuer: OidcIssuer;
let jobs: JobTokens;
beforeAll(async () => {
  issuer = await startOidcIssuer();
  jobs = newJobTokens();
});
afterAll(() => issuer.stop());

/** Of a function that knows no keys yet. */
function newJobTokens(): JobTokens {
  const now = () => NOW_MS;
  const keySets = keySetStore(new MemoryTable(now), keySetUrl(issuer.url));
  return githubJobTokens({
    issuer: issuer.url,
    keySets,
    now,
    sleep: async () => {},
    onFailure: () => {},
  });
}

const verified = (claims: Claims): Promise<JobClaims | undefined> =>
  jobs.verify(issuer.token({ ...CLAIMS, ...claims }));

test("the claims of a job's token are read", async () => {
  expect(await verified({})).toEqual({
    orgId: ORG,
    tokenId: CLAIMS.jti,
    usableUntilMs: (NOW_S + 330) * 1_000,
    repository: 'octo-org/app',
    repositoryId: REPOSITORY.id,
    repositoryOwnerId: REPOSITORY.ownerId,
    ref: 'refs/heads/main',
    headRef: undefined,
    sha: '7d444840a9c1f0b6a3b8f5f8f0f4c4a2d0c7e1ab',
    eventName: 'push',
    isRefUnprotected: false,
    environment: null,
    workflow: '.github/workflows/gate.yml',
    isWorkflowElsewhere: false,
    jobWorkflowRef: 'octo-org/app/.github/workflows/gate.yml@refs/heads/main',
    actor: 'octocat',
    runId: '17234567890',
    runAttempt: '1',
  });
  expect(await verified({ environment: 'Production' })).toMatchObject({ environment: 'Production' });
});

test('a token that states only whose job it is, of which ref, file and run, is one of a job all the same', async () => {
  const [said, unsaid] = [await verified({ head_ref: 'feature/x' }), {}];
  const names = ['sha', 'event_name', 'ref_protected', 'head_ref', 'job_workflow_ref', 'run_attempt'];
  for (const name of names) Object.assign(unsaid, { [name]: undefined });
  const lacking = { sha: undefined, eventName: undefined, headRef: undefined, isRefUnprotected: true };
  expect(said).toMatchObject({ headRef: 'feature/x' });
  expect(await verified(unsaid)).toEqual({
    ...said,
    ...lacking,
    jobWorkflowRef: undefined,
    runAttempt: undefined,
  });
  for (const sha of ['', 'main', SHA.toUpperCase(), `${SHA}0`, ` ${SHA}`, `${SHA}\n`, 7, [SHA]]) {
    expect(await verified({ sha })).toEqual({ ...said, sha: undefined, headRef: undefined });
  }
});

test.each([
  [false, [true, 'true']],
  [true, [undefined, false, 'false', 'True', ' true', '', null, 1, ['true']]],
])('that a ref is not protected is %s where its claim is one of %j', async (isRefUnprotected, values) => {
  for (const ref_protected of values)
    expect(await verified({ ref_protected })).toMatchObject({ isRefUnprotected });
});

test.each([
  ['of before', 'repo:octo-org/app:ref:refs/heads/main'],
  ['of an environment', 'repo:octo-org/app:environment:prod'],
  ['that is not there', undefined],
])('the subject %s changes nothing', async (_, sub) => {
  expect(await verified({ sub })).toEqual(await verified({}));
});

describe('no token is', () => {
  const elsewhere = { ...CLAIMS, iss: 'https://token.actions.githubusercontent.com' };
  const rows: readonly (readonly [title: string, token: () => string])[] = [
    ['one of another issuer', () => issuer.token(elsewhere)],
    [
      "one of the issuer's name with more behind it",
      () => issuer.token({ ...CLAIMS, iss: `${issuer.url}/` }),
    ],
    ['one of several issuers', () => issuer.token({ ...CLAIMS, iss: [issuer.url] })],
    [
      "one signed by a stranger under the issuer's key id",
      () => issuer.token(CLAIMS, { ...stranger, kid: issuer.keys[0]!.kid }),
    ],
    [
      'one signed by a stranger who brings the key along',
      () => issuer.token(CLAIMS, { ...stranger, kid: issuer.keys[0]!.kid }, { jwk: jwkOf(stranger) }),
    ],
    [
      'one that says where its key is',
      () => issuer.token(CLAIMS, stranger, { jku: `${issuer.url}/elsewhere` }),
    ],
    ['one without a key id', () => issuer.token(CLAIMS, issuer.keys[0], { kid: undefined })],
    ['one with something critical', () => issuer.token(CLAIMS, issuer.keys[0], { crit: ['exp'] })],
    ['one of RS512', () => issuer.token(CLAIMS, issuer.keys[0], { alg: 'RS512' })],
    [
      'one of ES256',
      () => issuer.token(CLAIMS, { ...signingKey('ec'), kid: issuer.keys[0]!.kid }, { alg: 'ES256' }),
    ],
    ['one of no algorithm', () => unsigned({ alg: 'none' })],
    ['one of no algorithm that says RS256', () => unsigned({ alg: 'RS256' })],
    ["one whose secret is the issuer's public key", () => byPublicKey('HS256')],
    ["one whose secret is the issuer's public key, and that says RS256", () => byPublicKey('RS256')],
    ['text', () => issuer.token('not JSON' as never)],
    ['a list', () => signedJwt(header(), [CLAIMS], issuer.keys[0]!)],
    ['no JSON at all', () => signedJwt(header(), '{"aud":', issuer.keys[0]!)],
    ['no JSON, and not signed either', () => `${base64url(header())}.${base64url('{"aud":')}.AAAA`],
    ['one cut in two', () => issuer.token(CLAIMS).split('.').slice(0, 2).join('.')],
    ['one longer than 8,192 characters', () => issuer.token({ ...CLAIMS, padding: 'x'.repeat(6_000) })],
  ];
  const header = () => ({ alg: 'RS256', typ: 'JWT', kid: issuer.keys[0]!.kid });
  const unsigned = (more: Claims) =>
    `${base64url({ ...header(), ...more })}.${base64url({ iss: issuer.url, ...CLAIMS })}.`;
  function byPublicKey(alg: string): string {
    const signed = `${base64url({ ...header(), alg })}.${base64url({ iss: issuer.url, ...CLAIMS })}`;
    const secret = issuer.keys[0]!.publicKey.export({ type: 'spki', format: 'pem' });
    return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
  }

  test.each(rows)('%s', async (_, token) => {
    expect(await jobs.verify(token())).toBeUndefined();
  });
});

test('for a token of another issuer or for another service no keys are fetched', async () => {
  const before = issuer.fetches();
  const fresh = newJobTokens();
  const others: Claims[] = [
    { iss: `${issuer.url}/` },
    { iss: [issuer.url] },
    { iss: undefined },
    { aud: ORG },
    { aud: [CLAIMS.aud] },
    { aud: `EVALGATE:${ORG}` },
    { aud: undefined },
  ];
  for (const claims of others) {
    expect(await fresh.verify(issuer.token({ ...CLAIMS, ...claims }))).toBeUndefined();
  }
  const [header, , signature] = issuer.token(CLAIMS).split('.');
  for (const payload of ['', 'bm90IEpTT04', 'bnVsbA', 'W10', 'IiI', '%%%']) {
    expect(await fresh.verify(`${header}.${payload}.${signature}`)).toBeUndefined();
  }
  expect(issuer.fetches()).toBe(before);
  expect(await fresh.verify(issuer.token(CLAIMS))).toBeDefined();
  expect(issuer.fetches()).toBe(before + 1);
});

test.each<readonly [string, unknown]>([
  ['the organisation alone', ORG],
  ['a list of it', [`evalgate:${ORG}`]],
  ['a list with others', ['https://github.com/octo-org', `evalgate:${ORG}`]],
  ["GitHub's default", 'https://github.com/octo-org'],
  ['another service', `sigstore:${ORG}`],
  ['another case', `EVALGATE:${ORG}`],
  ['a longer prefix', `not-evalgate:${ORG}`],
  ['more behind it', `evalgate:${ORG}/`],
  ['a line break behind it', `evalgate:${ORG}\n`],
  ['two organisations', `evalgate:${ORG},evalgate:${randomUUID()}`],
  ['no organisation', 'evalgate:'],
  ['nothing', ''],
  ['an object', { toString: `evalgate:${ORG}` }],
  ['not there', undefined],
])('the audience is one text, evalgate:<organisation>: %s is none', async (_, aud) => {
  expect(await verified({ aud })).toBeUndefined();
});

describe('in time is', () => {
  const times = (iat: number, exp: number, nbf = iat - 600): Claims => ({
    iat: NOW_S + iat,
    exp: NOW_S + exp,
    nbf: NOW_S + nbf,
  });
  test.each<readonly [string, Claims]>([
    ['a token of this moment', times(0, 300)],
    ['one that ended 29 seconds ago', times(-329, -29)],
    ['one of 30 seconds ahead', times(30, 330, 30)],
    ['one of an hour', times(-3_000, 600)],
    ['one that does not say from when on', { nbf: undefined }],
  ])('%s', async (_, claims) => {
    expect(await verified(claims)).toBeDefined();
  });

  test.each<readonly [string, Claims]>([
    ['one that ended 30 seconds ago', times(-330, -30)],
    ['one of 31 seconds ahead', times(31, 331, 0)],
    ['one that is good in 31 seconds', times(0, 300, 31)],
    ['one that lives longer than an hour', times(0, 3_601)],
    ['one that lives for ever', { exp: 9_007_199_254_740_991 }],
    ['one that ended before it was made', times(20, 10)],
    ['one that does not end', { exp: undefined }],
    ['one that does not say when it was made', { iat: undefined }],
    ['one whose end is a text', { exp: String(NOW_S + 300) }],
    ['one whose end is no number of seconds', { exp: 1e300 }],
    ['one made at a fraction of a second', { iat: NOW_S - 0.5 }],
  ])('not %s', async (_, claims) => {
    expect(await verified(claims)).toBeUndefined();
  });
});

test.each([
  'jti',
  'repository',
  'repository_id',
  'repository_owner_id',
  'ref',
  'workflow_ref',
  'actor',
  'run_id',
])('a token without %s, or with an empty or another kind of it, is none', async (claim) => {
  for (const value of [undefined, null, '', 74, ['x'], { x: 1 }, 'x'.repeat(1_025)]) {
    expect(await verified({ [claim]: value })).toBeUndefined();
  }
});

test('ids are numbers', async () => {
  for (const id of ['-1', '7 4', '74\n', '0x4a', '７４', '1e3']) {
    expect(await verified({ repository_id: id })).toBeUndefined();
    expect(await verified({ repository_owner_id: id })).toBeUndefined();
  }
});

test.each([
  ['octo-org/app/.github/workflows/gate.yml@refs/heads/main', '.github/workflows/gate.yml', false],
  ['Octo-Org/App/.github/workflows/gate.yml@refs/heads/main', '.github/workflows/gate.yml', false],
  ['octo-org/app/.github/workflows/gate.yaml@refs/tags/v1@2', '.github/workflows/gate.yaml', true],
  ['octo-org/app/.github/workflows/gate.yml@refs/heads/x.yml@y', '.github/workflows/gate.yml', true],
  ['octo-org/app/.github/workflows/gate.yml@7d444840a9c1', '.github/workflows/gate.yml', true],
  ['octo-org/app/.github/workflows/gate.yml@refs/heads/main\n', '.github/workflows/gate.yml', true],
  [
    'octo-org/app/.github/workflows/gate.yml@other.yml@refs/heads/main',
    '.github/workflows/gate.yml@other.yml',
    false,
  ],
  [
    'octo-org/central/.github/workflows/gate.yml@refs/heads/other',
    'octo-org/central/.github/workflows/gate.yml',
    false,
  ],
  [
    'octo-org/app/dynamic/pages/build@refs/heads/main',
    'octo-org/app/dynamic/pages/build@refs/heads/main',
    true,
  ],
  ['.github/workflows/gate.yml', '.github/workflows/gate.yml', true],
])(
  'the workflow %j is %s, and of another ref of the repository: %s',
  async (workflow_ref, workflow, isWorkflowElsewhere) => {
    expect(await verified({ workflow_ref })).toMatchObject({ workflow, isWorkflowElsewhere });
  },
);

test('a token with any change is refused', async () => {
  const token = issuer.token(CLAIMS);
  const character = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
  // The last character holds bits that belong to no byte.
  const position = fc.nat(token.length - 2).filter((at) => token[at] !== '.');
  await fc.assert(
    fc.asyncProperty(position, character, async (at, changed) => {
      fc.pre(token[at] !== changed);
      expect(await jobs.verify(token.slice(0, at) + changed + token.slice(at + 1))).toBeUndefined();
    }),
    { numRuns: 300 },
  );
});
