import { createHash, verify } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OPERATOR, WORKERS } from '../../../../infra/aws/functions.ts';
import { checkPages, smoke } from '../../../../scripts/smoke.ts';
import { contracts } from '../../../../shared/contracts/registry.ts';
import type { Operated } from '../../../../shared/domain/accounts/operate.ts';
import { DAY_MS, timestamp } from '../../../../shared/domain/time.ts';
import { SAME_ORIGIN, sender } from '../../../functions/auth/browser.ts';
import { newOrganisation, newSubscriber } from '../../../functions/billing/buyer.ts';
import { makeJudgedGate } from '../../../functions/judged/gate.ts';
import { makeGate } from '../../../functions/runs/gate.ts';
import { kept } from '../../../functions/signIn/world.ts';
import { type Api, api, signUp } from '../../../support/api.ts';
import { makeProject } from '../../../support/builders.ts';
import { gitlabJob } from '../../../support/ciJobs.ts';
import { apiFrom } from '../../../support/fromAddress.ts';
import { aRepository, jobClaims } from '../../../support/oidc.ts';
import { makeNames, type Names, namesOfNothing, requestTo } from '../../../support/requests.ts';
import { ended, type Stage, submit } from '../../../support/stage.ts';
import { startCloud } from '../cloud/cloud.ts';
import { mistakes } from './mistakes.ts';
import { rareRights } from './rareRights.ts';

/** All functions with the bundles, variables and rights that would be deployed. */
const cloud = await startCloud();
const { baseUrl, originUrl, providers, stripe, issuer, otherIssuer, signInProvider } = cloud;

const known = contracts.map((contract) => [contract.id, contract] as const);

describe('by itself', () => {
  let client: Api;
  let bearer: Api;
  let names: Names;
  beforeAll(async () => {
    client = await signUp(baseUrl);
    names = await makeNames(client);
    bearer = api(baseUrl, (await client('POST', '/v1/auth/token')).body.data.token);
  });

  test.each(known)(
    '%s succeeds on living resources, and answers 404 for missing ones',
    async (_, contract) => {
      const isDeletion = contract.method === 'DELETE';
      const { method, path, body } = requestTo(contract, isDeletion ? await makeNames(client) : names);
      const answered = [...Object.keys(contract.responses).map(Number), 400, 401, 403, 404];
      // The run is aborted: a flow below has the statement of one that is cleared.
      const ofLiving = contract.id === 'runs/statement' ? [409] : answered;
      expect(ofLiving).toContain((await client(method, path, body)).status);
      const missing = requestTo(contract, namesOfNothing());
      expect(answered).toContain((await bearer(missing.method, missing.path, missing.body)).status);
      expect(cloud.errors()).toEqual([]);
    },
  );
});

describe('flows of several functions', () => {
  test('a judged run gets its verdict: stored key, queue, evaluator, provider', async () => {
    const stage = { service: cloud, providers, as: (key: string) => api(baseUrl, key) };
    const gate = await makeJudgedGate(stage as unknown as Stage);
    const answer = await gate.client('POST', '/v1/run', { suite: gate.suite.slug, output: 'Paris' });
    expect(answer).toMatchObject({ status: 200, body: { total_cases: 1, passed_cases: 1 } });
  });

  test('a queued run is accepted, compared and waived', async () => {
    const gate = await makeGate(baseUrl);
    await gate.add({});
    const id = await submit(gate.client, { suite: gate.suite.slug, output: 'no' });
    expect(await ended(gate.client, id)).toMatchObject({ status: 'aborted', inconclusive: false });
    const body = { reason: 'It is wanted today.', expires_at: timestamp(Date.now() + DAY_MS) };
    expect((await gate.client('POST', `/v1/runs/${id}/waiver`, body)).status).toBe(201);
    const path = `/v1/suites/${gate.suite.id}/baselines`;
    expect((await gate.client('POST', path, { run_ids: [id] })).status).toBe(201);
    const later = await submit(gate.client, { suite: gate.suite.slug, output: 'no' });
    expect(await ended(gate.client, later)).toMatchObject({ waiver: { active: true }, comparison: {} });
    expect((await gate.client('GET', `/v1/runs/${later}/comparison`)).status).toBe(200);
  });

  test('a cleared run is the latest outcome of its cases, and has a statement by the key that is published first', async () => {
    const gate = await makeGate(baseUrl);
    await gate.add({});
    const { id } = await gate.run('ok');
    const latest = await gate.client('GET', `/v1/suites/${gate.suite.id}/cases?outcomes=latest`);
    expect(latest.body.data).toMatchObject([{ latest_outcome: {} }]);
    const { status, body } = await gate.client('GET', `/v1/runs/${id}/statement`);
    expect(status).toBe(200);
    const { keys } = (await gate.client('GET', '/.well-known/statement-keys.json')).body;
    expect(keys).toHaveLength(2);
    const { payload, payloadType, signatures } = body.dsseEnvelope;
    const statement = Buffer.from(payload, 'base64');
    const head = `DSSEv1 ${payloadType.length} ${payloadType} ${statement.length} `;
    const signed = Buffer.concat([Buffer.from(head), statement]);
    expect(verify('sha256', signed, keys[0].pem, Buffer.from(signatures[0].sig, 'base64'))).toBe(true);
  });

  test('the smoke test of a deployment passes, and fails where it should', async () => {
    await smoke({ baseUrl, originUrl, patienceMs: 20_000 });
    await expect(smoke({ baseUrl, originUrl: baseUrl })).rejects.toThrow('must answer only to the edge');
    await expect(smoke({ baseUrl: originUrl, patienceMs: 100 })).rejects.toThrow('the service is healthy');
    await expect(checkPages(originUrl)).rejects.toThrow('expected 200, got 404: "/openapi.json"');
    await expect(smoke({ baseUrl, apiKey: 'egk_wrong' })).rejects.toThrow('expected 200, got 401');
  });

  test('a plan is bought, and overage reported', async () => {
    const buyer = await newSubscriber(cloud, stripe);
    expect(await buyer.plan()).toBe('pro');
    expect((await buyer.client('POST', '/v1/billing/portal')).status).toBe(200);
    await cloud.tick(WORKERS.reportOverage);
  });

  test('an organisation is to be deleted, and that is taken back', async () => {
    const client = await signUp(baseUrl);
    const { id } = (await client('GET', '/v1/whoami')).body.data.organisation;
    const begun = await client('POST', '/v1/organisation/deletion', { organisation: id });
    expect(begun.status).toBe(200);
    expect((await client('POST', '/v1/projects', { name: 'Late' })).status).toBe(403);
    expect((await client('DELETE', '/v1/organisation/deletion')).status).toBe(204);
    expect((await client('POST', '/v1/projects', { name: 'Kept' })).status).toBe(201);
  });

  test('the operator makes an organisation, sets its plan, and makes another key', async () => {
    const operate = (command: object) => cloud.invoke(OPERATOR, command) as Promise<Operated>;
    const { organisation, api_key } = await operate({ command: 'create-organisation', name: 'Acme' });
    expect(organisation.plan).toBe('free');
    for (let times = 0; times < 2; times++)
      await operate({ command: 'set-plan', organisation: organisation.id, plan: 'scale' });
    const again = await operate({ command: 'create-key', organisation: organisation.id });
    for (const key of [api_key?.key, again.api_key?.key])
      expect((await api(baseUrl, String(key))('GET', '/v1/billing/usage')).body.plan).toBe('scale');
  });

  test('a portal opens before anything is bought', async () => {
    const { client } = await newOrganisation(baseUrl);
    expect((await client('POST', '/v1/billing/portal')).status).toBe(200);
  });

  test('a suite is pushed with its scorers, then without a change of them, and its cases are reordered', async () => {
    const { client } = await newOrganisation(baseUrl);
    const { slug } = await makeProject(client);
    const cases = ['one', 'two'].map((key) => ({ key, scorer: 'says', input: {} }));
    const push = async (fields: object) => {
      const scorers = { says: { type: 'contains', config: { values: ['ok'] } } };
      const definition = { version: 1, suite: 'pushed', scorers, cases, ...fields };
      return client('PUT', `/v1/projects/${slug}/suites/pushed/definition`, { definition });
    };
    for (const pass_threshold of [0.8, 0.9])
      expect((await push({ pass_threshold })).body.data).toMatchObject({ applied: true });
    const suite = (await client('GET', `/v1/projects/${slug}/suites/pushed`)).body.data;
    const path = `/v1/suites/${suite.id}/cases`;
    const ids = (await client('GET', path)).body.data.map(({ id }: { id: string }) => id);
    const reordered = await client('POST', `${path}/reorder`, { case_ids: ids.toReversed() });
    expect(reordered.body.data.map(({ id }: { id: string }) => id)).toEqual(ids.toReversed());
  });

  test('a default BYOK key is deleted', async () => {
    const { client } = await newOrganisation(baseUrl);
    const key = { provider: 'openai', key: 'sk-a-key-of-a-provider', is_default: true };
    const { id } = (await client('POST', '/v1/byok-keys', key)).body.data;
    expect((await client('DELETE', `/v1/byok-keys/${id}`)).status).toBe(204);
  });

  test('a job of a trusted repository gets a token without a key', async () => {
    const { client, orgId } = await newOrganisation(baseUrl);
    const repository = aRepository();
    await client('POST', '/v1/trusted-issuers', { repository: repository.name });
    const job = api(baseUrl, issuer.token(jobClaims(orgId, repository)));
    const { status, body } = await job('POST', '/v1/auth/token');
    expect({ status, token: typeof body.data?.token }).toEqual({ status: 200, token: 'string' });
    expect((await api(baseUrl, body.data.token)('GET', '/v1/runs/run_none')).status).toBe(404);
  });

  test('a job of another system gets a token, too, after its issuer was read and registered', async () => {
    const { client, orgId } = await newOrganisation(baseUrl);
    const claims = { project_id: '20' };
    const registration = { issuer: otherIssuer.url, provider: 'gitlab', claims };
    const made = await client('POST', '/v1/trusted-issuers', registration);
    expect(made.status).toBe(201);
    const job = api(baseUrl, otherIssuer.token(gitlabJob(orgId)));
    const { status, body } = await job('POST', '/v1/auth/token');
    expect({ status, token: typeof body.data?.token }).toEqual({ status: 200, token: 'string' });
    expect((await api(baseUrl, body.data.token)('GET', '/v1/runs/run_none')).status).toBe(404);
    expect((await client('DELETE', `/v1/trusted-issuers/${made.body.data.id}`)).status).toBe(204);
    expect((await api(baseUrl, body.data.token)('GET', '/v1/runs/run_none')).status).toBe(401);
  });

  test('a person signs in with a client that has a secret, gives a command line its rights, and is signed out', async () => {
    const { client, orgId } = await newOrganisation(baseUrl);
    const client_id = 'evalgate';
    const fields = { issuer: signInProvider.url, client_id, client_secret: 'a-secret' };
    expect((await client('PUT', '/v1/sign-in', fields)).status).toBe(200);
    expect((await client('GET', '/v1/sign-in')).body.data.has_secret).toBe(true);
    const admission = { for: 'persons', everyone: true, scope: 'read' };
    const made = await client('POST', '/v1/trusted-issuers', admission);
    const begun = await sender(baseUrl, SAME_ORIGIN)('POST', '/v1/auth/sign-in', { organisation: orgId });
    const sent = new URL(begun.body.data.url).searchParams;
    signInProvider.claims = { aud: client_id, nonce: sent.get('nonce') };
    const back = sender(baseUrl, { ...SAME_ORIGIN, cookie: kept(begun.setCookie[0] ?? '') });
    const body = { code: 'a-code', state: sent.get('state') };
    const { status, setCookie } = await back('POST', '/v1/auth/sign-in/finish', body);
    expect(status).toBe(201);
    const page = sender(baseUrl, { ...SAME_ORIGIN, cookie: kept(setCookie[0] ?? '') });
    const verifier = 'a-verifier-of-the-command-line-0123456789-abc';
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const { code } = (await page('POST', '/v1/auth/cli', { challenge })).body.data;
    const exchanged = await api(baseUrl)('POST', '/v1/auth/token', { code, code_verifier: verifier });
    const line = api(baseUrl, exchanged.body.data.token);
    expect((await line('GET', '/v1/whoami')).status).toBe(200);
    expect((await page('DELETE', '/v1/auth/session')).status).toBe(204);
    expect((await line('GET', '/v1/whoami')).status).toBe(401);
    expect((await client('DELETE', '/v1/sign-in/sessions')).status).toBe(204);
    expect((await client('DELETE', `/v1/trusted-issuers/${made.body.data.id}`)).status).toBe(204);
    expect((await client('DELETE', '/v1/sign-in')).status).toBe(204);
  });

  test('a run sent again under its idempotency key is the same run', async () => {
    const gate = await makeGate(baseUrl);
    await gate.add({});
    const send = () =>
      gate.client('POST', '/v1/run', { suite: gate.suite.slug, output: 'ok' }, { 'idempotency-key': 'once' });
    const [first, again] = [await send(), await send()];
    expect(first.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  test('a request refused under its idempotency key leaves the key free', async () => {
    const gate = await makeGate(baseUrl);
    await gate.add({});
    const key = { 'idempotency-key': 'again' };
    const send = (suite: string) => gate.client('POST', '/v1/run', { suite, output: 'ok' }, key);
    expect((await send('nothing')).status).toBe(404);
    expect((await send(gate.suite.slug)).status).toBe(200);
  });

  test('a compressed body is read, and one that is no gzip refused', async () => {
    const gate = await makeGate(baseUrl);
    await gate.add({});
    const send = (body: Uint8Array | string) =>
      gate.client('POST', '/v1/run', body, { 'content-encoding': 'gzip' });
    const text = JSON.stringify({ suite: gate.suite.slug, output: 'ok' });
    expect((await send(gzipSync(text))).status).toBe(200);
    expect((await send(text)).status).toBe(400);
  });

  test('rate limits count by the address that the edge sends, whatever the request claims', async () => {
    const { call, close } = apiFrom(baseUrl, '127.0.0.77');
    const statuses: number[] = [];
    for (let sent = 0; sent < 21; sent++) {
      const forged = {
        'cloudfront-viewer-address': `203.0.113.${sent}:1`,
        'x-forwarded-for': `203.0.113.${sent}`,
      };
      statuses.push((await call('POST', '/v1/auth/signup', { name: 'Many' }, forged)).status);
    }
    close();
    expect(statuses).toEqual([...new Array(20).fill(201), 429]);
  });

  test.each([WORKERS.sweep, WORKERS.resumeRetention])('%s processes pending work', async (id) => {
    await cloud.tick(id, { remindAfterMs: 0 });
  });
});

test.each([
  ['request_completed', 'duration_ms', 'number'],
  ['case_judged', 'outcome', 'string'],
])('%s lines have the field that a metric reads: %s', (code, field, type) => {
  const found = cloud.lines.filter((line) => line.code === code);
  expect(found.length).toBeGreaterThan(0);
  for (const line of found) expect(typeof line[field]).toBe(type);
});

test('no function was refused anything, nor failed otherwise', () => {
  expect(cloud.records.refused).toEqual([]);
  expect(cloud.errors()).toEqual([]);
});

describe('rare rights', () => rareRights(cloud));
describe('mistakes in templates', () => mistakes(cloud));

afterAll(() => cloud.stop());
