import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { changePlan } from '../../support/changePlan.ts';
import { expectNotFound } from '../../support/expectations.ts';
import { namesOfNothing } from '../../support/requests.ts';
import { type Days, startDays } from './days.ts';

let days: Days;
beforeAll(async () => {
  days = await startDays();
});
afterAll(() => days.stop());

const ENDPOINTS = ['trends', 'regressions'];

test.each(ENDPOINTS)(
  '%s is 403 on Free, which names the way to get them, and exists on every other plan',
  async (name) => {
    const gate = await days.gate();
    const get = () => gate.client('GET', `/v1/suites/${gate.suite.id}/${name}`);
    await days.changePlan(gate, 'free');
    const refused = await get();
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 403,
      body: {
        error: {
          code: 'PLAN_REQUIRED',
          message: expect.stringContaining('POST /v1/billing/checkout'),
          details: { plan: 'free', required_plan: 'pro' },
        },
      },
    });
    for (const plan of ['pro', 'scale', 'enterprise'] as const) {
      await changePlan(days.service.table, gate.project.org_id, plan, days.now());
      expect((await get()).status).toBe(200);
    }
  },
);

test.each(ENDPOINTS)(
  '%s of a suite that is not there or not theirs is 404, on Free as on Pro',
  async (name) => {
    const [gate, other] = [await days.gate(), await days.gate()];
    const gone = await days.gate();
    await gone.client('DELETE', `/v1/projects/${gone.project.slug}/suites/${gone.suite.slug}`);
    for (const plan of ['pro', 'free'] as const) {
      await days.changePlan(gate, plan);
      for (const id of [other.suite.id, namesOfNothing().suiteId, 'x']) {
        expectNotFound(await gate.client('GET', `/v1/suites/${id}/${name}`));
      }
      await days.changePlan(gone, plan);
      expectNotFound(await gone.client('GET', `/v1/suites/${gone.suite.id}/${name}`));
    }
  },
);
