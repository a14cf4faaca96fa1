import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Api, type ApiAnswer, api } from '../../support/api.ts';
import { aRepository, type Claims, type Repository } from '../../support/oidc.ts';
import { expectToken, type Keyless, startKeyless } from '../auth/keyless.ts';
import { PUSHER, type Pushing, pushing, workflowRef } from '../auth/pushing.ts';

let keyless: Keyless;
beforeAll(async () => {
  keyless = await startKeyless();
});
afterAll(() => keyless.stop());

let pushed: Pushing;
beforeEach(async () => {
  pushed = await pushing(keyless);
});

const PATH = '/v1/projects/bot/suites/returns/definition';
const definition = (pass_threshold: number, says = '30 days') => ({
  version: 1,
  suite: 'returns',
  pass_threshold,
  scorers: { says: { type: 'contains', config: { values: [says] } } },
  cases: [{ key: 'window', scorer: 'says', input: { q: 'How long?' }, expected: 'secret' }],
});

const jobOf = async (claims: Claims = {}, repository?: Repository): Promise<Api> =>
  api(keyless.service.baseUrl, expectToken(await pushed.ask(claims, repository)));
async function strangersJob(run_id: string): Promise<Api> {
  const other = aRepository();
  await pushed.org.trust(other, PUSHER);
  return jobOf({ run_id, ...workflowRef(other) }, other);
}
const put = (client: Api, pass_threshold: number, options: object = {}): Promise<ApiAnswer> =>
  client('PUT', PATH, { definition: definition(pass_threshold), ...options });
const codeOf = ({ status, body }: ApiAnswer) => [status, body.error?.code];
const thresholdNow = async () =>
  (await pushed.org.client('GET', PATH)).body.data.definition.pass_threshold ?? 'none';

test('a push of a job is known by what its token states, whatever the request states', async () => {
  const job = await jobOf({ run_id: '70', sha: 'c'.repeat(40) });
  const source = {
    repository: 'somebody/else',
    ref: 'refs/heads/x',
    sha: 'f',
    path: 'evals/returns.suite.yaml',
  };
  expect((await put(job, 0.9, { source })).status).toBe(200);
  expect((await pushed.org.client('GET', PATH)).body.data.last_push).toMatchObject({
    by: { type: 'github_actions', run_id: '70' },
    source: {
      repository: pushed.repository.name,
      ref: 'refs/heads/main',
      sha: 'c'.repeat(40),
      path: 'evals/returns.suite.yaml',
    },
  });
});

test('an older job that is run again changes nothing: 409 STALE_PUSH', async () => {
  await put(await jobOf({ run_id: '71' }), 0.8);
  const old = await jobOf({ run_id: '9' });
  expect(codeOf(await put(old, 0.9))).toEqual([409, 'STALE_PUSH']);
  expect(await thresholdNow()).toBe(0.8);
  expect((await put(await jobOf({ run_id: '71' }), 0.9)).status).toBe(200);
});

test('a newer job whose push changes nothing keeps older ones from undoing it', async () => {
  await put(await jobOf({ run_id: '71' }), 0.8);
  expect((await put(await jobOf({ run_id: '73' }), 0.8)).body.data.applied).toBe(false);
  expect(codeOf(await put(await jobOf({ run_id: '72' }), 0.9))).toEqual([409, 'STALE_PUSH']);
});

test('an older job stays older when an API key has pushed since', async () => {
  await put(await jobOf({ run_id: '71' }), 0.8);
  expect((await put(pushed.org.client, 0.9)).status).toBe(200);
  const stale = await put(await jobOf({ run_id: '70' }), 0.8, { allow_weaker: true });
  expect(codeOf(stale)).toEqual([409, 'STALE_PUSH']);
  expect(stale.body.error.details).toEqual({ run_id: '71' });
  expect(await thresholdNow()).toBe(0.9);
  expect((await put(await jobOf({ run_id: '72' }), 0.8, { allow_weaker: true })).status).toBe(200);
});

test('a job of another repository that pushes the present definition leaves no trace', async () => {
  await put(await jobOf({ run_id: '71' }), 0.8);
  const before = (await pushed.org.client('GET', PATH)).body.data;
  const stranger = await strangersJob('99');
  expect((await put(stranger, 0.8)).body.data).toMatchObject({ applied: false, changes: [] });
  expect((await pushed.org.client('GET', PATH)).body.data).toEqual(before);
  expect((await put(await jobOf({ run_id: '72' }), 0.9)).status).toBe(200);
});

test('a suite belongs to the repository whose job pushed it first, and API keys push it all the same', async () => {
  await put(await jobOf({ run_id: '71' }), 0.8);
  const stranger = await strangersJob('99');
  const refused = await put(stranger, 0.9);
  expect(codeOf(refused)).toEqual([403, 'OWNED_ELSEWHERE']);
  const { name, id } = pushed.repository;
  expect(refused.body.error.details).toEqual({ repository: name, repository_id: id });
  const path = '/v1/projects/bot/suites/second/definition';
  const ofScorer = { definition: { ...definition(0.9, 'thirty'), suite: 'second' }, allow_weaker: true };
  expect(codeOf(await stranger('PUT', path, ofScorer))).toEqual([403, 'OWNED_ELSEWHERE']);
  expect(await thresholdNow()).toBe(0.8);
  expect((await put(pushed.org.client, 0.9)).status).toBe(200);
});

test('a new repository of the name of the owner owns nothing: suite and scorers stay those of the old one', async () => {
  await put(await jobOf({ run_id: '71' }), 0.8);
  const again = aRepository(pushed.repository.name);
  const environment = 'again';
  await pushed.org.trust(again, { ...PUSHER, environment });
  const stranger = await jobOf({ run_id: '99', environment, ...workflowRef(again) }, again);
  const refused = await put(stranger, 0.9);
  expect(codeOf(refused)).toEqual([403, 'OWNED_ELSEWHERE']);
  expect(refused.body.error.message).toContain(`${pushed.repository.id}, which had the name ${again.name}`);
  const path = '/v1/projects/bot/suites/second/definition';
  const ofScorer = { definition: { ...definition(0.9, 'thirty'), suite: 'second' }, allow_weaker: true };
  expect(codeOf(await stranger('PUT', path, ofScorer))).toEqual([403, 'OWNED_ELSEWHERE']);
  expect(await thresholdNow()).toBe(0.8);
});

test('a repository that was renamed still owns its suite, which shows the new name', async () => {
  await put(await jobOf({ run_id: '71' }), 0.8);
  const renamed = { ...pushed.repository, name: aRepository().name };
  const owner = await jobOf({ run_id: '72', ...workflowRef(renamed) }, renamed);
  expect((await put(owner, 0.9)).status).toBe(200);
  const { details } = (await put(await strangersJob('99'), 0.95)).body.error;
  expect(details).toEqual({ repository: renamed.name, repository_id: renamed.id });
});

test('a suite that an API key pushed has no owner until a job pushes it, whether or not that changes it', async () => {
  await put(pushed.org.client, 0.8);
  expect((await put(await jobOf({ run_id: '71' }), 0.8)).body.data.applied).toBe(false);
  expect(codeOf(await put(await strangersJob('72'), 0.9))).toEqual([403, 'OWNED_ELSEWHERE']);
  expect((await put(await jobOf({ run_id: '73' }), 0.9)).status).toBe(200);
});

test('a scorer without an owner that a suite of one repository uses is changed by no job of another one', async () => {
  await put(pushed.org.client, 0.8);
  await put(await jobOf({ run_id: '71' }), 0.8);
  const stranger = await strangersJob('72');
  const path = '/v1/projects/bot/suites/second/definition';
  const changing = { definition: { ...definition(0.9, 'thirty'), suite: 'second' }, allow_weaker: true };
  const refused = await stranger('PUT', path, changing);
  expect(codeOf(refused)).toEqual([403, 'OWNED_ELSEWHERE']);
  expect(refused.body.error.message).toContain('"returns"');
  const using = { definition: { ...definition(0.9), suite: 'second' } };
  expect((await stranger('PUT', path, using)).status).toBe(200);
  expect((await put(await jobOf({ run_id: '73' }), 0.9)).status).toBe(200);
});

test('a job of scope run can plan, sees no documents, and can not push', async () => {
  await put(pushed.org.client, 0.8);
  const own = aRepository();
  await pushed.org.trust(own);
  const gate = api(keyless.service.baseUrl, expectToken(await pushed.org.enter(own)));
  const lower = { ...definition(0.5), cases: [{ ...definition(0.5).cases[0], expected: 'guessed' }] };
  const plan = await gate('PUT', PATH, { definition: lower, dry_run: true });
  expect(plan.body.data.changes).toEqual([
    expect.objectContaining({
      kind: 'suite',
      fields: { pass_threshold: { from: 0.8, to: 0.5 } },
      effect: 'weaker',
    }),
    expect.objectContaining({ kind: 'case', key: 'window', fields: { expected: {} } }),
  ]);
  expect(JSON.stringify(plan.body)).not.toContain('secret');
  expect(codeOf(await gate('PUT', PATH, { definition: lower, allow_weaker: true }))).toEqual([
    403,
    'SCOPE_REQUIRED',
  ]);
  expect(await thresholdNow()).toBe(0.8);
});

test('a project may keep weaker pushes to credentials of scope full', async () => {
  await put(pushed.org.client, 0.8);
  await pushed.org.client('PATCH', '/v1/projects/bot', { weaker_pushes: 'full' });
  const job = await jobOf({ run_id: '71' });
  expect(codeOf(await put(job, 0.7, { allow_weaker: true }))).toEqual([403, 'SCOPE_REQUIRED']);
  expect((await put(job, 0.9, { allow_weaker: true })).status).toBe(200);
  expect((await put(pushed.org.client, 0.7, { allow_weaker: true })).status).toBe(200);
});

test('where weaker pushes take scope full, no lesser credential changes a bar one by one', async () => {
  await put(pushed.org.client, 0.8);
  const suite = '/v1/projects/bot/suites/returns';
  const id: string = (await pushed.org.client('GET', suite)).body.data.id;
  const [one] = (await pushed.org.client('GET', `/v1/suites/${id}/cases`)).body.data;
  const made = { name: 'More', input: {}, scorer_id: one.scorer_id };
  const writes: [string, string, object?][] = [
    ['PATCH', suite, { pass_threshold: 0 }],
    ['POST', `/v1/suites/${id}/cases`, made],
    ['PATCH', `/v1/cases/${one.id}`, { threshold: 0 }],
    ['PATCH', `/v1/scorers/${one.scorer_id}`, { config: { values: ['e'] } }],
    ['DELETE', `/v1/cases/${one.id}`],
    ['DELETE', `/v1/scorers/${one.scorer_id}`],
    ['DELETE', suite],
  ];
  const job = await jobOf({ run_id: '71' });
  await pushed.org.client('PATCH', '/v1/projects/bot', { weaker_pushes: 'full' });
  for (const [method, path, body] of writes)
    expect([path, ...codeOf(await job(method, path, body))]).toEqual([path, 403, 'SCOPE_REQUIRED']);
  expect(await thresholdNow()).toBe(0.8);
  await pushed.org.client('PATCH', '/v1/projects/bot', { weaker_pushes: 'suites' });
  for (const [method, path, body] of writes) expect((await job(method, path, body)).status).toBeLessThan(300);
});

test('a suite that was deleted still belongs to its repository: jobs of others and older jobs do not make it anew, API keys do', async () => {
  const own = await jobOf({ run_id: '72' });
  expect((await put(own, 0.5)).status).toBe(200);
  expect((await pushed.org.client('DELETE', '/v1/projects/bot/suites/returns')).status).toBe(204);
  const stranger = await strangersJob('80');
  expect(codeOf(await put(stranger, 0.5))).toEqual([403, 'OWNED_ELSEWHERE']);
  const made = await stranger('POST', '/v1/projects/bot/suites', { name: 'Returns' });
  expect(codeOf(made)).toEqual([403, 'OWNED_ELSEWHERE']);
  expect(codeOf(await put(await jobOf({ run_id: '71' }), 0.5))).toEqual([409, 'STALE_PUSH']);
  expect((await put(pushed.org.client, 0.5)).status).toBe(200);
  expect(codeOf(await put(await jobOf({ run_id: '71' }), 0.6))).toEqual([409, 'STALE_PUSH']);
  expect((await put(stranger, 0.6)).status).toBe(200);
});
