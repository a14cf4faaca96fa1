import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newApiKey } from '../../../shared/domain/accounts/apiKey.ts';
import { type Keyless, startKeyless } from '../../functions/auth/keyless.ts';
import { makeGate } from '../../functions/runs/gate.ts';
import { api } from '../../support/api.ts';
import { makeCase, makeScorer } from '../../support/builders.ts';
import type { LogLine } from '../../support/ownService.ts';

let keyless: Keyless;
beforeAll(async () => {
  keyless = await startKeyless();
});
afterAll(() => keyless.stop());

/** The lines of the requests that were sent meanwhile. */
async function linesOf(send: () => Promise<unknown>): Promise<LogLine[]> {
  const { log } = keyless.service;
  const before = log.length;
  await send();
  return log.slice(before).filter(({ code }) => code === 'request_completed');
}

test('every request writes one line with the ids of its credential, whatever its answer', async () => {
  const { org, repository, registration } = await keyless.trusting();
  const { baseUrl } = keyless.service;
  const keyId = (await org.client('GET', '/v1/api-keys')).body.data[0].id;
  const { token } = (await org.client('POST', '/v1/auth/token')).body.data;
  const job = (await org.enter(repository)).body.data.token;
  const senders = [
    [org.client, { type: 'api_key', key_id: keyId }, 200],
    [api(baseUrl, token), { type: 'token', key_id: keyId }, 200],
    [api(baseUrl, job), { type: 'github_actions', registration_id: registration.id }, 403],
  ] as const;
  for (const [client, by, listed] of senders) {
    const line = { level: 'info', org_id: org.id, by, request_id: expect.any(String) };
    const figures = {
      duration_ms: expect.any(Number),
      read_units: expect.any(Number),
      write_units: expect.any(Number),
    };
    const common = { ...line, ...figures, code: 'request_completed' };
    expect(await linesOf(() => client('GET', '/v1/projects'))).toEqual([
      { ...common, endpoint: 'projects/list', status: listed },
    ]);
    expect(await linesOf(() => client('GET', '/v1/runs/run_1'))).toEqual([
      { ...common, endpoint: 'runs/get', status: 404 },
    ]);
    expect(await linesOf(() => client('POST', '/v1/run', '{broken'))).toEqual([
      { ...common, endpoint: 'runs/create', status: 400 },
    ]);
  }
});

test('a request without a credential names none, and no line holds a secret', async () => {
  const { org, repository } = await keyless.trusting();
  const { baseUrl, log } = keyless.service;
  const unknown = newApiKey();
  const lines = await linesOf(async () => {
    await api(baseUrl)('GET', '/v1/templates');
    await api(baseUrl, unknown)('GET', '/v1/projects');
    await api(baseUrl, 'sesame')('GET', '/v1/projects');
  });
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(Object.keys(line)).not.toEqual(expect.arrayContaining(['org_id']));
  const sent = org.tokenOf(repository);
  const { token } = (await keyless.exchange(sent)).body.data;
  await api(baseUrl, token)('GET', '/v1/projects');
  const text = JSON.stringify(log);
  for (const secret of [unknown, sent, token, 'sesame', 'octocat']) expect(text).not.toContain(secret);
});

test('the lines of making a run and of asking for it name the run', async () => {
  const gate = await makeGate(keyless.service.baseUrl);
  const scorer = await makeScorer(gate.client, gate.project);
  await makeCase(gate.client, gate.suite, scorer, { expected: 'x' });
  let id = '';
  const made = await linesOf(async () => {
    id = (await gate.run('x')).id;
  });
  const asked = await linesOf(async () => {
    await gate.client('GET', `/v1/runs/${id}`);
    await gate.client('GET', `/v1/runs/${id}/results`);
  });
  expect([...made, ...asked].map(({ endpoint, run_id }) => [endpoint, run_id])).toEqual([
    ['runs/create', id],
    ['runs/get', id],
    ['runs/results', id],
  ]);
});
