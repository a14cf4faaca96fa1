import { rmSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { covers } from '../../../shared/contracts/base/scopes.ts';
import { contracts } from '../../../shared/contracts/registry.ts';
import { DAY_MS, timestamp } from '../../../shared/domain/time.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { makeNames, namesOfNothing, requestTo } from '../../support/requests.ts';
import { decoded, signedToken, type TokenKey, tokenKeys } from '../../support/tokenKeys.ts';
import { makeKey, newOrganisation, type Organisation } from '../apiKeys/organisation.ts';
import { openSession, SAME_ORIGIN, type Send, sender } from './browser.ts';

/** Ten minutes after a key was given its session still reads and runs, and does nothing that is sensitive. */

/** Examples of bodies name tomorrow. */
const T0 = Math.floor(Date.now() / 1_000) * 1_000 + 250;
const FRESH_MS = 600_000;
const { folder, keys } = tokenKeys(1);
const [signing] = keys as [TokenKey];
let service: OwnService;
let organisation: Organisation;
let page: Send;
let cookie: string;
let token: string;
beforeAll(async () => {
  service = await startOwnService({ TOKEN_KEY_FILES: signing.file });
  service.clock.ms = T0;
  organisation = await newOrganisation(service);
  ({ page, cookie, token } = await openSession(service, organisation.first.key));
});
beforeEach(() => {
  service.clock.ms = T0 + FRESH_MS + 1;
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
});

const codeOf = ({ status, body }: { readonly status: number; readonly body: { error?: { code: string } } }) =>
  body?.error?.code ?? status;
const ASKED = 'REAUTHENTICATION_REQUIRED';

const writes = contracts.filter(
  ({ access, method, scope = 'full' }) =>
    access === 'api_key' && method !== 'GET' && !covers('read', scope) && scope !== 'run',
);

test('all that writes asks for the key, but for what makes or orders things', () => {
  expect(writes.filter(({ reauthentication }) => reauthentication === undefined).map(({ id }) => id)).toEqual(
    [
      // What it takes back asked for the key.
      'organisation/restore',
      'projects/create',
      'suites/create',
      'suites/createFromTemplate',
      'suites/try',
      'cases/reorder',
      // It moves no bar.
      'judgeChecks/start',
      'scorers/create',
      // They store nothing, and neither does suites/try.
      'scorers/try',
      'byokKeys/test',
    ],
  );
});

const always = contracts
  .filter(({ reauthentication }) => reauthentication === 'always')
  .map((contract) => [contract.id, contract] as const);

test.each(always)('%s', async (_, contract) => {
  const names = await makeNames(organisation.client);
  const { method, path, body } = requestTo(contract, names);
  const refused = await page(method, path, body);
  expect([refused.status, codeOf(refused)]).toEqual([403, ASKED]);
  // Whether it is there or not.
  const nothing = requestTo(contract, namesOfNothing());
  expect(codeOf(await page(nothing.method, nothing.path, nothing.body))).toBe(ASKED);
  service.clock.ms = T0 + FRESH_MS;
  const { status } = await page(method, path, body);
  // The organisation has no sign-in.
  const missing = contract.id.startsWith('signIn/') ? ['404'] : [];
  // It is a key's session.
  if (contract.id === 'auth/createCliCode') missing.push('403');
  expect([...Object.keys(contract.responses), '503', '400', ...missing]).toContain(String(status));
});

test('a session whose scope does not suffice is refused for that, without a request for its key', async () => {
  service.clock.ms = T0;
  const { key } = await makeKey(organisation.client, { scope: 'read' });
  const reader = (await openSession(service, key)).page;
  service.clock.ms = T0 + FRESH_MS + 1;
  expect(codeOf(await reader('POST', '/v1/api-keys', { name: 'Mine' }))).toBe('SCOPE_REQUIRED');
});

describe('single writes', () => {
  let suitePath: string;
  let casePath: string;
  let scorerPath: string;
  let orderPath: string;
  let caseIds: string[];
  beforeEach(async () => {
    const { client } = organisation;
    const project = await makeProject(client);
    const suite = await makeSuite(client, project, { pass_threshold: 0.5, gates: { min_judged_cases: 1 } });
    const scorer = await makeScorer(client, project);
    const evalCase = await makeCase(client, suite, scorer, { expected: 'yes', threshold: 0.5 });
    const other = await makeCase(client, suite, scorer, { expected: 'yes', name: 'Other' });
    suitePath = `/v1/projects/${project.slug}/suites/${suite.slug}`;
    casePath = `/v1/cases/${evalCase.id}`;
    scorerPath = `/v1/scorers/${scorer.id}`;
    orderPath = `/v1/suites/${suite.id}/cases/reorder`;
    caseIds = [other.id, evalCase.id];
  });

  const ADVISORY = { owner: 'qa', reason: 'Flaky since today.', expires_at: timestamp(T0 + DAY_MS) };
  const tables = {
    suite: {
      asStrict: [
        { name: 'Renamed', description: 'Said', keep_outputs: 'none' },
        { pass_threshold: 0.5 },
        { pass_threshold: 0.6, gates: { min_judged_cases: 2 } },
        {},
      ],
      mayBeWeaker: [
        { pass_threshold: 0.4 },
        { pass_threshold: 0.6, gates: {} },
        { gates: { min_lower_bound: 0.1 } },
        { show_expected: true },
        { show_inputs: true },
        { show_results: false },
      ],
    },
    case: {
      asStrict: [
        { name: 'Renamed', description: 'Said' },
        { threshold: 0.5, expected: 'yes' },
        { threshold: 0.7, must_pass: true },
      ],
      mayBeWeaker: [
        { threshold: 0.4 },
        { expected: 'no' },
        { input: { q: 1 } },
        { weight: 2 },
        { is_active: false },
        { key: 'another' },
        { tags: ['new'] },
        { advisory: ADVISORY, must_pass: false },
        { sample_count: 2 },
      ],
    },
    scorer: {
      asStrict: [{ name: 'Renamed' }],
      mayBeWeaker: [{ config: { case_sensitive: false } }, { type: 'contains', config: { values: ['y'] } }],
    },
  };
  const pathOf = (kind: string) => ({ suite: suitePath, case: casePath, scorer: scorerPath })[kind] ?? '';

  test.each(Object.entries(tables))('of a %s', async (kind, { asStrict, mayBeWeaker }) => {
    for (const changes of mayBeWeaker) {
      const before = await page('GET', pathOf(kind));
      expect([changes, codeOf(await page('PATCH', pathOf(kind), changes))]).toEqual([changes, ASKED]);
      expect((await page('GET', pathOf(kind))).body).toEqual(before.body);
    }
    for (const changes of asStrict) {
      expect([changes, codeOf(await page('PATCH', pathOf(kind), changes))]).toEqual([changes, 200]);
    }
    service.clock.ms = T0;
    for (const changes of mayBeWeaker) {
      expect([changes, codeOf(await page('PATCH', pathOf(kind), changes))]).toEqual([changes, 200]);
    }
  });

  test('of the order', async () => {
    expect((await page('POST', orderPath, { case_ids: caseIds })).status).toBe(200);
  });
});

test('a higher threshold of a case with several outputs asks: a failed one may give it the verdict that a gate wants', async () => {
  const { client } = organisation;
  const project = await makeProject(client);
  const suite = await makeSuite(client, project, { pass_threshold: 0.5, gates: { min_judged_cases: 2 } });
  const similar = await makeScorer(client, project, {
    type: 'similarity',
    config: { metric: 'levenshtein' },
  });
  const sampled = { key: 'sampled', expected: 'aaaa', threshold: 0.5, sample_count: 2 };
  const { id } = await makeCase(client, suite, similar, sampled);
  await makeCase(client, suite, similar, { key: 'plain', expected: 'b' });
  const outputs = [
    { case: 'sampled', output: 'aaab' },
    { case: 'sampled', error: 'The model did not answer.' },
    { case: 'plain', output: 'b' },
  ];
  const statusOfRun = async () =>
    (await client('POST', '/v1/run', { project: project.slug, suite: suite.slug, outputs })).body.status;
  expect(await statusOfRun()).toBe('aborted');
  expect(codeOf(await page('PATCH', `/v1/cases/${id}`, { threshold: 0.9 }))).toBe(ASKED);
  expect((await client('PATCH', `/v1/cases/${id}`, { threshold: 0.9 })).status).toBe(200);
  expect(await statusOfRun()).toBe('cleared');
});

test('a project asks before it takes weaker bars from more credentials than those of scope full', async () => {
  const { slug } = await makeProject(organisation.client);
  const put = async (fields: object) => codeOf(await page('PATCH', `/v1/projects/${slug}`, fields));
  expect(await put({ name: 'Renamed', weaker_pushes: 'full' })).toBe(200);
  expect(await put({ description: 'Said', weaker_pushes: 'full' })).toBe(200);
  expect(await put({ weaker_pushes: 'suites' })).toBe(ASKED);
  service.clock.ms = T0;
  expect(await put({ weaker_pushes: 'suites' })).toBe(200);
});

test('a push requires reauthentication where its plan is weaker and it allows that, and a dry run never does', async () => {
  const { slug } = await makeProject(organisation.client);
  const path = `/v1/projects/${slug}/suites/returns/definition`;
  const push = (pass_threshold: number, sent = {}) =>
    page('PUT', path, {
      definition: {
        version: 1,
        suite: 'returns',
        pass_threshold,
        scorers: { says: { type: 'contains', config: { values: ['30 days'] } } },
        cases: [{ key: 'window', scorer: 'says', input: {} }],
      },
      ...sent,
    });
  expect((await push(0.8)).status).toBe(200);
  expect((await push(0.9, { allow_weaker: true })).status).toBe(200);
  expect((await push(0.7, { dry_run: true, allow_weaker: true })).status).toBe(200);
  expect(codeOf(await push(0.7))).toBe('WEAKER_BAR');
  expect(codeOf(await push(0.7, { allow_weaker: true }))).toBe(ASKED);
  service.clock.ms = T0;
  expect((await push(0.7, { allow_weaker: true })).body.data.applied).toBe(true);
});

describe('a session counts as fresh', () => {
  const revoke = async (auth_time: unknown) => {
    const name = cookie.slice(0, cookie.indexOf('='));
    const forged = signedToken(signing, decoded(token, 0), { ...decoded(token, 1), auth_time });
    const headers = { ...SAME_ORIGIN, cookie: `${name}=${forged}` };
    return codeOf(await sender(service.baseUrl, headers)('POST', '/v1/api-keys', { name: 'One more' }));
  };
  const NOW_S = (T0 + FRESH_MS + 1) / 1_000;

  test.each([
    ['up to ten minutes after its key was given', NOW_S - 600, 201],
    ['not a millisecond later', NOW_S - 600.001, ASKED],
    ['with a time that clocks may differ by', NOW_S + 30, 201],
    ['not with one that is further ahead', NOW_S + 30.001, ASKED],
    ['not without a time', undefined, ASKED],
    ['not with one in milliseconds', T0 + FRESH_MS, ASKED],
    ['not with a text, which is no session at all', String(NOW_S), 'UNAUTHORIZED'],
  ])('%s', async (_, authTime, wanted) => {
    expect(await revoke(authTime)).toBe(wanted);
  });

  test('again as soon as the key is given again', async () => {
    const later = await openSession(service, organisation.first.key);
    expect((await later.page('POST', '/v1/api-keys', { name: 'Afterwards' })).status).toBe(201);
    expect(codeOf(await page('POST', '/v1/api-keys', { name: 'Still old' }))).toBe(ASKED);
  });
});
