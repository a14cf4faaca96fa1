import { afterAll, describe, expect, test } from '@jest/globals';
import { WORKERS } from '../../../infra/aws/functions.ts';
import { smoke } from '../../../scripts/smoke.ts';
import { contracts } from '../../../shared/contracts/registry.ts';
import { newSubscriber } from '../../functions/billing/buyer.ts';
import { makeJudgedGate } from '../../functions/judged/gate.ts';
import { api, signUp } from '../../support/api.ts';
import { makeNames, namesOfNothing, requestTo } from '../../support/requests.ts';
import { describeSecurity } from '../../support/security.ts';
import type { Stage } from '../../support/stage.ts';
import { startDeployedService } from './deployedService.ts';

/** Every function with the rights and variables that the deployment gives it, and no others. */
const service = await startDeployedService();
const { baseUrl } = service;

const known = contracts.map((contract) => [contract.id, contract] as const);

test.each(known)('%s does what it is for, and finds nothing where nothing is', async (_, contract) => {
  const client = await signUp(baseUrl);
  const { method, path, body } = requestTo(contract, await makeNames(client));
  const answered = [...Object.keys(contract.responses).map(Number), 400, 401, 403, 404];
  expect(answered).toContain((await client(method, path, body)).status);
  const missing = requestTo(contract, namesOfNothing());
  for (const caller of [api(baseUrl), client]) {
    expect(answered).toContain((await caller(missing.method, missing.path, missing.body)).status);
  }
  expect(service.errors).toEqual([]);
});

describeSecurity(baseUrl, contracts);

describe('what takes several functions', () => {
  test('a judged run gets its verdict: stored key, queue, evaluator, provider', async () => {
    const stage = { service, providers: service.providers, as: (key: string) => api(baseUrl, key) };
    const gate = await makeJudgedGate(stage as unknown as Stage);
    const answer = await gate.client('POST', '/v1/run', { suite: gate.suite.slug, output: 'Paris' });
    expect(answer).toMatchObject({ status: 200, body: { total_cases: 1, passed_cases: 1 } });
  });

  test('the smoke test of a deployment passes, and fails where it should', async () => {
    const { originUrl } = service;
    await smoke({ baseUrl, originUrl, patienceMs: 20_000 });
    await expect(smoke({ baseUrl, originUrl: baseUrl })).rejects.toThrow('must answer only to the edge');
    await expect(smoke({ baseUrl: originUrl, patienceMs: 100 })).rejects.toThrow('the service is healthy');
    await expect(smoke({ baseUrl, apiKey: 'egk_wrong' })).rejects.toThrow('expected 200, got 401');
  });

  test('a plan is bought, and overage told', async () => {
    const buyer = await newSubscriber(service, service.stripe);
    expect(await buyer.plan()).toBe('pro');
    expect((await buyer.client('POST', '/v1/billing/portal')).status).toBe(200);
    await service.run(WORKERS.reportOverage);
  });

  test.each([WORKERS.sweep, WORKERS.resumeRetention])('%s looks after what is pending', async (id) => {
    await service.run(id);
  });
});

test.each([
  ['request_completed', 'duration_ms', 'number'],
  ['case_judged', 'outcome', 'string'],
  ['sweep_completed', 'ended', 'number'],
])('%s lines have the field that a metric reads: %s', (code, field, type) => {
  const found = service.lines.filter((line) => line.code === code);
  expect(found.length).toBeGreaterThan(0);
  for (const line of found) expect(typeof line[field]).toBe(type);
});

test('no function was refused anything, nor failed otherwise', () => {
  expect(service.errors).toEqual([]);
});

afterAll(() => service.stop());
