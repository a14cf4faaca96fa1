import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type OwnStage, startOwnStage } from '../../support/ownStage.ts';
import { type ProviderName, redirect } from '../../support/providers.ts';
import { resultsOf } from '../runs/gate.ts';
import { type JudgedGate, makeJudgedGate } from './gate.ts';

/** A server that no judge may call: what reached it, with its headers. */
let canary: Server;
let port: number;
const seen: IncomingHttpHeaders[] = [];
let stage: OwnStage;
const gates: JudgedGate[] = [];

beforeAll(async () => {
  canary = createServer((request, response) => {
    seen.push(request.headers);
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(canary, 'listening');
  ({ port } = canary.address() as AddressInfo);
  stage = await startOwnStage(({ env }) => ({
    JUDGE_ENDPOINT_ALLOWLIST: `${env.JUDGE_ENDPOINT_ALLOWLIST},127.0.0.1:${port},localhost:${port}`,
  }));
  for (const host of [`http://127.0.0.1:${port}`, `http://localhost:${port}`, `https://127.0.0.1:${port}`])
    gates.push(await makeJudgedGate(stage, { provider: 'azure_openai', config: { model: `${host}|gate` } }));
});
afterAll(async () => {
  await stage.stop();
  canary.close();
});

const errorOf = async (gate: JudgedGate) => {
  const { id, status, inconclusive } = await gate.run('Paris');
  const [{ scorer_output }] = await resultsOf(gate.client, id);
  return { status, inconclusive, ...scorer_output };
};

const NOT_ALLOWED = { status: 'aborted', inconclusive: true, error: 'ENDPOINT_NOT_ALLOWED' };

test('an endpoint that is no longer allowed gets no request and no key', async () => {
  // While it is allowed it is called, so that this canary sings.
  await gates[0]?.run('Paris');
  expect(seen.map((headers) => headers['api-key'])).toContain(gates[0]?.rawKey);
  seen.length = 0;
  await stage.reload({
    JUDGE_ENDPOINT_ALLOWLIST: stage.providers.env.JUDGE_ENDPOINT_ALLOWLIST ?? '',
  });
  for (const gate of gates) expect(await errorOf(gate)).toEqual(NOT_ALLOWED);
  expect(seen).toEqual([]);
});

describe.each<ProviderName>(['openai', 'anthropic', 'google', 'azure_openai'])(
  'a redirect of %s',
  (provider) => {
    test.each([301, 302, 303, 307, 308])('with %d takes neither request nor key anywhere', async (status) => {
      const gate = await makeJudgedGate(stage, { provider });
      seen.length = 0;
      stage.providers.next(provider, redirect(`http://127.0.0.1:${port}/v1/chat/completions`, status));
      const error = provider === 'azure_openai' ? 'ENDPOINT_NOT_ALLOWED' : 'JUDGE_UNAVAILABLE';
      expect(await errorOf(gate)).toEqual({ ...NOT_ALLOWED, error });
      expect(stage.providers.calls.filter(({ apiKey }) => apiKey === gate.rawKey)).toHaveLength(1);
      expect(seen).toEqual([]);
    });
  },
);
