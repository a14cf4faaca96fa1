import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Contract } from '../../../shared/contracts/base/contract.ts';
import { covers } from '../../../shared/contracts/base/scopes.ts';
import { contracts } from '../../../shared/contracts/registry.ts';
import { type Api, api } from '../../support/api.ts';
import { aRepository, type Claims, type Repository } from '../../support/oidc.ts';
import { makeNames, makeNamesIn, type Names, requestTo } from '../../support/requests.ts';
import { expectRefused, expectToken, type Keyless, startKeyless } from '../auth/keyless.ts';
import { type Pushing, pushing, SUITES, trustGates, workflowRef } from '../auth/pushing.ts';

/** Whatever credential a pull request can get, no endpoint lowers the bar for it. */

let keyless: Keyless;
let pushed: Pushing;
let names: Names;
beforeAll(async () => {
  keyless = await startKeyless();
  pushed = await pushing(keyless);
  const { client } = pushed.org;
  expect((await trustGates(client, pushed.repository)).status).toBe(201);
  expect((await client('PUT', PATH, { definition: DEFINITION })).status).toBe(200);
  // The first job of a repository binds its registrations to it.
  expectToken(await pushed.ask());
  expectToken(await keyless.exchange(pushed.tokenOf()));
  names = { ...(await makeNames(client)), ...(await makeNamesIn(client, { slug: 'bot' })) };
});
afterAll(() => keyless.stop());

const PATH = '/v1/projects/bot/suites/returns/definition';
const HAS = { type: 'contains', config: { values: ['30 days'] } };
const DEFINITION = {
  version: 1,
  suite: 'returns',
  pass_threshold: 0.9,
  scorers: { has: HAS },
  cases: [
    { key: 'window', scorer: 'has', input: {}, expected: 'secret', must_pass: true },
    { key: 'again', scorer: 'has', input: {} },
  ],
};
/** Lower in every part. */
const LOWER = {
  version: 1,
  suite: 'returns',
  pass_threshold: 0,
  scorers: { has: { type: 'regex', config: { pattern: '[^]' } } },
  cases: [{ key: 'window', scorer: 'has', input: {}, threshold: 0 }],
};
const FORCED: readonly object[] = [
  { allow_weaker: true },
  { allow_weaker: true, prune: true },
  { allow_weaker: true, prune: true, dry_run: false, expected_definition_version: 0 },
  { allow_weaker: true, source: { repository: 'octo-org/app', ref: 'refs/heads/main', path: 'evals/x' } },
];
/** A bar that is sent with a run. */
const WITH_A_RUN: readonly object[] = [
  { pass_threshold: 0, gates: {}, threshold: 0, definition: LOWER },
  { scorers: LOWER.scorers, cases: [], allow_weaker: true, dry_run: true },
  { input: { threshold: 0, pass_threshold: 0, expected: 'never' }, trigger_meta: { ref: 'refs/heads/main' } },
];

/** All that is asked of a bar, and by what right it can be changed. */
async function barNow() {
  const { client, registrations } = pushed.org;
  const paths = [PATH, '/v1/projects/bot', '/v1/projects/bot/scorers', `/v1/suites/${names.suiteId}/cases`];
  const answers = await Promise.all(paths.map((path) => client('GET', path)));
  const suites = (await client('GET', '/v1/projects/bot/suites')).body.data;
  return {
    resources: answers.map(({ status, body }) => ({ status, data: body.data })),
    suites: suites.map(({ latest_run: _, ...suite }: { latest_run: unknown }) => suite),
    registrations: (await registrations()).map(({ last_used_at: _, ...one }) => one),
    keys: (await client('GET', '/v1/api-keys')).body.data.length,
  };
}

const closed = contracts.filter(
  ({ access, scope = 'full', method }) => access === 'api_key' && !covers('run', scope) && method !== 'GET',
);

async function expectClosed(client: Api, contract: Contract): Promise<void> {
  const { method, path, body } = requestTo(contract, names);
  const { status, body: answer } = await client(method, path, body);
  expect({ id: contract.id, status, code: answer.error?.code }).toEqual({
    id: contract.id,
    status: 403,
    code: 'SCOPE_REQUIRED',
  });
  expect(answer.error.message).toMatch(/^This credential may create runs, .*: send an? .*\.$/);
}

const PULL = { event_name: 'pull_request', ref: 'refs/pull/7/merge', base_ref: 'main', head_ref: 'feature' };
const EVENTS: readonly (readonly [string, Claims])[] = [
  ['pull_request of the repository', PULL],
  ['pull_request_target', { event_name: 'pull_request_target' }],
  ['issue_comment', { event_name: 'issue_comment' }],
  ['workflow_run', { event_name: 'workflow_run' }],
  ['pull_request_review', { ...PULL, event_name: 'pull_request_review' }],
  ['merge_group', { event_name: 'merge_group', ref: 'refs/heads/gh-readonly-queue/main/pr-7' }],
  ['a push to its own branch', { ref: 'refs/heads/feature', ref_protected: 'false' }],
  ['a push to main of another workflow', { workflow_ref: undefined }],
];

describe.each(EVENTS)('a job of %s', (_, claims) => {
  const tokenOf = () => {
    const own = workflowRef(pushed.repository, 'gate.yml');
    return pushed.tokenOf({ ...claims, ...('workflow_ref' in claims ? own : {}) });
  };

  test('gets no more than the scope run, and with it no endpoint changes the bar', async () => {
    const before = await barNow();
    for (const scope of ['suites', 'full']) {
      const { status } = await keyless.exchange(tokenOf(), { scope });
      expect([400, 403]).toContain(status);
    }
    const token = expectToken(await keyless.exchange(tokenOf()));
    const client = api(keyless.service.baseUrl, token);
    expect((await client('GET', '/v1/whoami')).body.data.scope).toBe('run');
    for (const body of [undefined, SUITES, { scope: 'full' }]) {
      expect((await client('POST', '/v1/auth/token', body)).status).toBeGreaterThanOrEqual(400);
    }
    for (const contract of closed) await expectClosed(client, contract);
    for (const options of FORCED) {
      const { status, body } = await client('PUT', PATH, { definition: LOWER, ...options });
      expect([status, body.error?.code]).toEqual([403, 'SCOPE_REQUIRED']);
    }
    const plan = await client('PUT', PATH, { definition: LOWER, dry_run: true, allow_weaker: true });
    expect(plan.body.data).toMatchObject({ applied: false });
    expect(JSON.stringify(plan.body)).not.toContain('secret');
    for (const fields of WITH_A_RUN) {
      const run = { suite: 'returns', project: 'bot', output: 'never', ...fields };
      expect((await client('POST', '/v1/run', run)).body).toMatchObject({
        status: 'aborted',
        passed: false,
        pass_threshold: 0.9,
        total_cases: 2,
      });
    }
    expect(await barNow()).toEqual(before);
  });
});

test('a run takes no bar with its outputs: an expected value is refused, and a threshold changes nothing', async () => {
  const token = expectToken(await keyless.exchange(pushed.tokenOf(PULL)));
  const client = api(keyless.service.baseUrl, token);
  const sent = (fields: object) => ({
    suite: 'returns',
    project: 'bot',
    outputs: ['window', 'again'].map((key) => ({ case: key, output: 'never', ...fields })),
  });
  const refused = await client('POST', '/v1/run', sent({ expected: 'never' }));
  expect(refused.status).toBe(400);
  expect(refused.body.error.details.issues[0].message).toBe('the bar lives on the server: change the case');
  for (const fields of [{ threshold: 0, weight: 0, scorer: 'none' }, { metadata: { threshold: 0 } }]) {
    const answer = await client('POST', '/v1/run', sent(fields));
    expect(answer.body).toMatchObject({ status: 'aborted', pass_rate: 0, pass_threshold: 0.9 });
  }
});

describe('a fork gets no credential', () => {
  const fork = ({ name }: Repository) => aRepository(name.replace('octo-org', 'forker'));
  test.each([...EVENTS.slice(0, 4), ['a push to its main', {}] as const])('by %s', async (_, claims) => {
    const before = await barNow();
    const token = pushed.tokenOf(claims, fork(pushed.repository));
    for (const body of [undefined, SUITES]) expectRefused(await keyless.exchange(token, body));
    for (const credential of [token, undefined]) {
      const client = api(keyless.service.baseUrl, credential);
      expectRefused(await client('PUT', PATH, { definition: LOWER, allow_weaker: true }));
      expectRefused(await client('POST', '/v1/run', { suite: 'returns', project: 'bot', output: 'never' }));
    }
    expect(await barNow()).toEqual(before);
  });
});

test('a token of GitHub itself, which every job may ask for, opens no endpoint but the exchange', async () => {
  const before = await barNow();
  const client = api(keyless.service.baseUrl, pushed.tokenOf());
  for (const contract of [...closed, ...contracts.filter(({ id }) => id === 'definitions/put')]) {
    const { method, path, body } = requestTo(contract, names);
    expectRefused(await client(method, path, body));
  }
  expect(await barNow()).toEqual(before);
});

test('a job that may push one project reaches no suite of another, and is answered as if there were none', async () => {
  const { client } = pushed.org;
  const other = (await client('POST', '/v1/projects', { name: 'Other', slug: 'other' })).body.data;
  const path = `/v1/projects/${other.slug}/suites/returns/definition`;
  expect((await client('PUT', path, { definition: DEFINITION })).status).toBe(200);
  const job = api(keyless.service.baseUrl, expectToken(await pushed.ask()));
  const { body: there, status } = await job('PUT', path, { definition: LOWER, allow_weaker: true });
  const { body: nowhere } = await job('PUT', path.replace('other', 'none'), { definition: LOWER });
  expect({ status, there }).toEqual({ status: 404, there: nowhere });
  expect((await client('GET', path)).body.data.definition.pass_threshold).toBe(0.9);
});
