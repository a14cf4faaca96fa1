import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PlanId } from '../../../shared/contracts/auth.ts';
import { changePlan } from '../../../shared/storage/billing/planChanges.ts';
import { projectKey } from '../../../shared/storage/table/keys.ts';
import { api } from '../../support/api.ts';
import { expectNotFound } from '../../support/expectations.ts';
import { costOf, type EngineService, startEngineService } from '../../support/ownService.ts';
import { setUsed } from '../../support/usage.ts';
import { makeGate } from '../runs/gate.ts';
import { newOrganisation } from './buyer.ts';

let service: EngineService;
beforeAll(async () => {
  service = await startEngineService();
  service.clock.ms = Date.parse('2026-03-31T23:59:00.000Z');
});
afterAll(() => service.stop());

const usageOf = async ({ client }: { client: ReturnType<typeof api> }) =>
  (await client('GET', '/v1/billing/usage')).body;

/** As the README says. */
const limitsOf = (plan: PlanId) => ({
  monthly_runs: { free: 500, pro: 15_000, scale: 100_000, enterprise: -1 }[plan],
  retention_days: plan === 'free' ? 14 : 365,
  api_keys: { free: 50, pro: 200, scale: 1_000, enterprise: 1_000 }[plan],
  projects: 1_000,
  suites_per_project: 1_000,
  scorers_per_project: 1_000,
  cases_per_suite: 10_000,
  byok_keys: 100,
  byok_keys_per_project: 20,
  judge_calls_at_once: 20,
  waiting_judged_outputs: 24_000,
});

async function on(plan: PlanId, used: number) {
  const organisation = await newOrganisation(service.baseUrl);
  const { orgId } = organisation;
  await changePlan(service.table, { orgId, plan: () => plan, atMs: service.clock.ms ?? 0, alongside: {} });
  await setUsed(service.table, orgId, '2026-03', used);
  return organisation;
}

test('a new organisation is on Free, with nothing used: exactly the six fields of the specification, limits and projects, without an envelope', async () => {
  const answer = await (await newOrganisation(service.baseUrl)).client('GET', '/v1/billing/usage');
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 200,
    body: {
      plan: 'free',
      plan_name: 'Free',
      monthly_limit: 500,
      current_usage: 0,
      retention_days: 14,
      usage_percentage: 0,
      limits: limitsOf('free'),
      by_project: [],
    },
  });
});

test('runs count in the month of UTC in which they were made', async () => {
  const organisation = await newOrganisation(service.baseUrl);
  const gate = await makeGate(service.baseUrl, {}, organisation.client);
  await gate.add({});
  service.clock.ms = Date.parse('2026-03-31T23:59:59.999Z');
  await gate.run('ok');
  await gate.run('ok');
  expect(await usageOf(organisation)).toMatchObject({ current_usage: 2, usage_percentage: 0.4 });
  service.clock.ms = Date.parse('2026-04-01T00:00:00.000Z');
  expect(await usageOf(organisation)).toMatchObject({ current_usage: 0, usage_percentage: 0 });
  await gate.run('ok');
  expect(await usageOf(organisation)).toMatchObject({ current_usage: 1, usage_percentage: 0.2 });
  service.clock.ms = Date.parse('2026-03-31T23:59:00.000Z');
});

test.each([
  ['free', 500, { plan_name: 'Free', monthly_limit: 500, retention_days: 14, usage_percentage: 100 }],
  ['pro', 1, { plan_name: 'Pro', monthly_limit: 15_000, retention_days: 365, usage_percentage: 0.01 }],
  ['pro', 10_000, { plan_name: 'Pro', monthly_limit: 15_000, retention_days: 365, usage_percentage: 66.67 }],
  ['pro', 22_500, { plan_name: 'Pro', monthly_limit: 15_000, retention_days: 365, usage_percentage: 150 }],
  [
    'scale',
    50_000,
    { plan_name: 'Scale', monthly_limit: 100_000, retention_days: 365, usage_percentage: 50 },
  ],
  [
    'enterprise',
    9_999_999,
    { plan_name: 'Enterprise', monthly_limit: -1, retention_days: 365, usage_percentage: 0 },
  ],
] as const)('on %s with %d runs', async (plan, used, expected) => {
  const outside = { project_id: null, slug: null, name: null, is_deleted: false, runs: used };
  expect(await usageOf(await on(plan, used))).toEqual({
    plan,
    current_usage: used,
    ...expected,
    limits: limitsOf(plan),
    by_project: [outside],
  });
});

test('costs one read beside authentication, whatever was used', async () => {
  const organisation = await on('pro', 20_000);
  const { read, write } = await costOf(service, () => usageOf(organisation));
  expect(read).toBeLessThanOrEqual(2);
  expect(write).toBeLessThanOrEqual(1);
});

test.each(['free', 'enterprise'] as const)(
  'on %s the runs of each project are shown, the most first, also under its last name once it is deleted',
  async (plan) => {
    const organisation = await on(plan, 1);
    const { client } = organisation;
    const gates = [];
    for (const runs of [2, 3, 4]) {
      const gate = await makeGate(service.baseUrl, { slug: `suite-${runs}` }, client);
      await gate.add({});
      for (let run = 0; run < runs; run++) await gate.run('ok');
      gates.push(gate.project);
    }
    const [kept, renamed, gone] = gates;
    await client('PATCH', `/v1/projects/${renamed?.slug}`, { name: 'Renamed' });
    await client('PATCH', `/v1/projects/${gone?.slug}`, { name: 'Last name' });
    expect((await client('DELETE', `/v1/projects/${gone?.slug}`)).status).toBe(204);
    const { current_usage, by_project } = await usageOf(organisation);
    expect(current_usage).toBe(10);
    expect(by_project).toEqual([
      { project_id: gone?.id, slug: gone?.slug, name: 'Last name', is_deleted: true, runs: 4 },
      { project_id: renamed?.id, slug: renamed?.slug, name: 'Renamed', is_deleted: false, runs: 3 },
      { project_id: kept?.id, slug: kept?.slug, name: kept?.name, is_deleted: false, runs: 2 },
      { project_id: null, slug: null, name: null, is_deleted: false, runs: 1 },
    ]);
    // As a purge leaves it 30 days later.
    await service.table.delete(projectKey(organisation.orgId, gone?.id ?? ''));
    expect((await usageOf(organisation)).by_project[0]).toEqual({
      project_id: gone?.id,
      slug: null,
      name: null,
      is_deleted: true,
      runs: 4,
    });
  },
);

test('is not there for a key that is bound to a project', async () => {
  const { client } = await newOrganisation(service.baseUrl);
  await client('POST', '/v1/projects', { name: 'One', slug: 'one' });
  const { body } = await client('POST', '/v1/api-keys', { name: 'Bound', project: 'one' });
  const bound = api(service.baseUrl, body.data.key);
  expectNotFound(await bound('GET', '/v1/billing/usage'));
});

test('sells nothing where no payment is configured, and names who changes the plan', async () => {
  const { client } = await newOrganisation(service.baseUrl);
  const urls = { success_url: 'https://a.example', cancel_url: 'https://a.example' };
  for (const answer of [
    await client('POST', '/v1/billing/checkout', { plan: 'pro', ...urls }),
    await client('POST', '/v1/billing/portal'),
    await api(service.baseUrl)('POST', '/v1/billing/webhook', {}),
  ]) {
    expect({ status: answer.status, code: answer.body.error.code }).toEqual({
      status: 503,
      code: 'BILLING_NOT_CONFIGURED',
    });
  }
});
