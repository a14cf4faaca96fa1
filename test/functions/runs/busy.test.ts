import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { handler as createRun } from '../../../functions/runs/create.ts';
import type { Table } from '../../../shared/storage/table/table.ts';
import { changePlan } from '../../support/changePlan.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { newOrganisation } from '../billing/buyer.ts';
import { makeGate } from './gate.ts';

let service: OwnService;
beforeAll(async () => {
  service = await startOwnService();
});
afterAll(() => service.stop());

/** The table for a function whose transactions others always come before. It need not wait. */
const contended = (): Table =>
  new Proxy(service.table, {
    get(real, name: keyof Table) {
      if (name === 'backoff') return async () => {};
      if (name !== 'transact') return (real[name] as (...args: never[]) => unknown).bind(real);
      return (...[writes, options]: Parameters<Table['transact']>) =>
        options?.once ? { committed: false, failed: new Map() } : real.transact(writes, options);
    },
  });

test.each(['free', 'pro'] as const)(
  'a run that others keep from being stored is a 429 that states when to come back, on %s: nothing counts, and its idempotency key is free',
  async (plan) => {
    const { client, key, orgId } = await newOrganisation(service.baseUrl);
    const gate = await makeGate(service.baseUrl, {}, client);
    await gate.add({});
    if (plan !== 'free') await changePlan(service.table, orgId, plan, Date.now());
    const idempotencyKey = randomUUID();
    const event = (isAsync: boolean) =>
      ({
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
        },
        body: JSON.stringify({ suite: gate.suite.slug, output: 'ok', async: isAsync }),
        isBase64Encoded: false,
        requestContext: { http: { method: 'POST', sourceIp: '203.0.113.7' } },
      }) as unknown as APIGatewayProxyEventV2;
    const busy = createRun.withRuntime({ ...service.runtime, table: contended() });
    const context = { awsRequestId: 'one' } as Context;
    for (const isAsync of [false, true]) {
      const answer = await busy(event(isAsync), context);
      expect(answer).toMatchObject({ statusCode: 429, headers: { 'retry-after': '2' } });
      expect(JSON.parse(answer.body ?? '')).toEqual({
        error: {
          code: 'RATE_LIMITED',
          message: expect.stringMatching(/not stored and is not counted: send it again in 2 seconds/),
          details: { retry_after_seconds: 2 },
        },
      });
    }
    expect((await client('GET', '/v1/billing/usage')).body.current_usage).toBe(0);
    const list = async () => (await client('GET', `/v1/suites/${gate.suite.id}/runs`)).body;
    expect(await list()).toMatchObject({ data: [], pagination: { total: 0 } });
    const again = await createRun.withRuntime(service.runtime)(event(false), context);
    expect(again.statusCode).toBe(200);
    expect((await client('GET', '/v1/billing/usage')).body.current_usage).toBe(1);
    expect(await list()).toMatchObject({ data: [{ status: 'cleared' }], pagination: { total: 1 } });
  },
);
