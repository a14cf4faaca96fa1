import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { answeredGate, sentBy } from '../../../bench/answers.ts';
import type { PlanId } from '../../../shared/contracts/auth.ts';
import type { Scorer } from '../../../shared/contracts/scorers.ts';
import type { PlanInForce } from '../../../shared/domain/plans.ts';
import { DAY_MS, MINUTE_MS, monthOf, timestamp } from '../../../shared/domain/time.ts';
import { readOrganisationItem } from '../../../shared/storage/accounts/organisationItems.ts';
import { countUsage, usageStore } from '../../../shared/storage/runs/usage.ts';
import { organisationKey } from '../../../shared/storage/table/keys.ts';
import { Random } from '../../faults/random.ts';
import { makeCase, makeScorer } from '../../support/builders.ts';
import { changePlan } from '../../support/changePlan.ts';
import { costOf, type EngineService, startEngineService } from '../../support/ownService.ts';
import { setUsed } from '../../support/usage.ts';
import { fillSuite } from './filled.ts';
import { addWordCases, type Gate, makeGate } from './gate.ts';

let service: EngineService;
beforeAll(async () => {
  service = await startEngineService();
});
// The minute after which the use of a key is noted again passes only where a test says so.
let nowMs: number;
beforeEach(() => {
  nowMs = Date.now();
  service.clock.ms = nowMs;
});
afterAll(() => service.stop());

const SUBJECTS = ['refund policy', 'delivery date', 'account deletion', 'invoice address', 'opening hours'];
const RULES = ['names the deadline', 'does not promise money', 'links the form', 'stays polite', 'is JSON'];

const caseName = (index: number) =>
  `${SUBJECTS[index % 5]} ${RULES[Math.floor(index / 5) % 5]} (${Math.floor(index / 25) + 1})`;

const SCORERS = [
  { type: 'exact_match', config: {} },
  { type: 'contains', config: { values: ['refund', '14 days', 'form'], mode: 'all' } },
  { type: 'regex', config: { pattern: '\\b(?:within|after) (\\d+) days\\b', flags: 'i' } },
  { type: 'json_schema', config: { schema: { type: 'object', required: ['answer'] } } },
  { type: 'contains', config: { values: ['guarantee', 'promise'], mode: 'none' } },
  { type: 'regex', config: { pattern: 'https?://\\S+', should_match: true } },
];

/** A mixed suite as a team would write it. */
async function mixedGate(cases: number, plan: PlanId = 'free'): Promise<Gate> {
  const gate = await makeGate(service.baseUrl, { pass_threshold: 0.5 });
  const scorers: Scorer[] = [];
  for (const fields of SCORERS) scorers.push(await makeScorer(gate.client, gate.project, fields));
  await fillSuite(service.table, gate, cases, (index) => ({
    id: random.uuid(),
    name: caseName(index),
    scorer_id: scorers[index % scorers.length]?.id ?? '',
    expected: `You get your money back within ${index} days.`,
  }));
  if (plan !== 'free') await changePlan(service.table, gate.project.org_id, plan, nowMs);
  return gate;
}

const random = new Random(1);

/** 300 to 600 characters that are never the same twice. */
const output = (run: number) =>
  `You can ask for a refund within ${10 + run} days of delivery. Fill in the form at https://example.com/r/${run} ` +
  `and quote ${random.uuid()}. ${'We answer within two working days. '.repeat(5 + (run % 5))}`;

/** The costs of runs after a first one has warmed the service up. */
async function warmCosts(gate: Gate, runs: number) {
  await gate.run(output(0));
  const costs = [];
  for (let run = 1; run <= runs; run++) costs.push(await costOf(service, () => gate.run(output(run))));
  return costs;
}

/** Without the rate limiter, whose part is one write unit. */
test.each(['free', 'pro'] as const)(
  'a warm run of 100 deterministic cases on %s costs at most 8 write and 3 read units, and one more each minute for the use of the key',
  async (plan) => {
    const gate = await mixedGate(100, plan);
    const costs = await warmCosts(gate, 5);
    for (const { read, write } of costs) {
      expect(write).toBeGreaterThan(0);
      expect(write).toBeLessThanOrEqual(8);
      expect(read).toBeGreaterThan(0);
      expect(read).toBeLessThanOrEqual(3);
    }
    service.clock.ms = nowMs + MINUTE_MS;
    const noted = await costOf(service, () => gate.run(output(6)));
    expect(noted.write).toBeLessThanOrEqual(9);
    expect(noted.read).toBeLessThanOrEqual(3);
    expect((await costOf(service, () => gate.run(output(7)))).write).toBe(noted.write - 1);
  },
);

test('a warm run of 100 cases with an output of 2 kB for each that clears costs at most 9 write and 3 read units', async () => {
  const gate = await answeredGate(service, 100);
  for (let run = 0; run < 4; run++) {
    const body = { suite: gate.suite.slug, ...sentBy('own outputs', run, 100) };
    const cost = await costOf(service, async () => {
      expect((await gate.client('POST', '/v1/run', body)).body.status).toBe('cleared');
    });
    // The first run reads the suite.
    if (run > 0) expect(cost).toEqual({ read: 3, write: 9 });
  }
});

test.each([
  ['free', 24],
  ['pro', 1_000],
] as const)(
  'a run on %s costs no more beside runs of %d projects in the same month, and one more counts two units more on Free only',
  async (plan, projects) => {
    const gate = await makeGate(service.baseUrl, { pass_threshold: 0.5 });
    await addWordCases(gate, ['refund', 'form', 'never']);
    if (plan !== 'free') await changePlan(service.table, gate.project.org_id, plan, nowMs);
    const [alone] = await warmCosts(gate, 1);
    const month = monthOf(timestamp(nowMs));
    const othersRan = async (count: number) => {
      for (let nth = 0; nth < count; nth++) {
        const head = { projectId: random.uuid() };
        const run = { orgId: gate.project.org_id, createdAt: timestamp(nowMs), head };
        await service.table.transact({ usage: countUsage({ ...run, plan: await planOf(gate) }, undefined) });
      }
      return (await usageStore(service.table).used(gate.project.org_id, month)) >= count;
    };
    expect(await othersRan(projects - 1)).toBe(true);
    expect(await warmCosts(gate, 1)).toEqual([alone]);
    await othersRan(1);
    const [, costlier] = await warmCosts(gate, 2);
    expect(costlier).toEqual({ read: alone?.read, write: (alone?.write ?? 0) + (plan === 'free' ? 2 : 0) });
  },
);

async function planOf({ project }: Gate): Promise<PlanInForce> {
  const organisation = readOrganisationItem((await service.table.get(organisationKey(project.org_id))) ?? {});
  return { id: organisation.plan, version: organisation.plan_version };
}

test('a case whose excerpts are kept makes a run read nothing more', async () => {
  const gate = await mixedGate(100);
  const path = `/v1/projects/${gate.project.slug}/suites/${gate.suite.slug}`;
  expect((await gate.client('PATCH', path, { keep_outputs: 'all' })).status).toBe(200);
  for (const { read } of await warmCosts(gate, 2)) expect(read).toBe(3);
});

test('creating a case costs 4 write units', async () => {
  const gate = await makeGate(service.baseUrl, {});
  const scorer = await makeScorer(gate.client, gate.project, SCORERS[0]);
  const create = (name: string) => () => makeCase(gate.client, gate.suite, scorer, { name });
  await create('first')();
  const { write } = await costOf(service, create('second'));
  // Rows, texts, revision and head.
  expect(write).toBe(4);
});

test('results that fit into a kilobyte with their run cost nothing: 7 write units', async () => {
  const gate = await makeGate(service.baseUrl, { pass_threshold: 0.5 });
  await addWordCases(gate, ['refund', 'form', 'never']);
  expect(await warmCosts(gate, 2)).toEqual([
    { read: 3, write: 7 },
    { read: 3, write: 7 },
  ]);
});

test('the first run of a day costs as much as the next one', async () => {
  const lastMs = Date.parse('2036-11-21T23:59:59.999Z');
  service.clock.ms = lastMs;
  const gate = await mixedGate(20);
  const [before] = await warmCosts(gate, 1);
  service.clock.ms = lastMs + 1;
  expect(await costOf(service, () => gate.run(output(2)))).toEqual(before);
});

test('a warm run of 400 cases costs far less than four times one of 100', async () => {
  const [small] = await warmCosts(await mixedGate(100), 1);
  const [large] = await warmCosts(await mixedGate(400), 1);
  expect(large?.read).toBe(small?.read);
  expect(large?.write).toBeLessThanOrEqual(2 * (small?.write ?? 0));
});

test('reading a run of 100 cases and its results costs a few read units', async () => {
  const gate = await mixedGate(100);
  await gate.run(output(0));
  const { id } = await gate.run(output(1));
  const get = (path: string) => costOf(service, () => gate.client('GET', path));
  // The first read finds where the suite is.
  await get(`/v1/runs/${id}`);
  // Key, run, project head, and the suite for its name.
  expect(await get(`/v1/runs/${id}`)).toEqual({ read: 4, write: 0 });
  expect((await get(`/v1/runs/${id}/results`)).read).toBeLessThanOrEqual(6);
});

test('a page of runs costs the same at any depth, also where the oldest ones have expired', async () => {
  const startMs = Date.parse('2036-11-01T09:30:00.000Z');
  service.clock.ms = startMs;
  const gate = await makeGate(service.baseUrl);
  await gate.add({});
  for (let number = 0; number < 40; number++) {
    service.clock.ms = startMs + (number * DAY_MS) / 4;
    await gate.run('ok');
  }
  const pages = async (size: number, numbers: readonly number[]) => {
    const path = `/v1/suites/${gate.suite.id}/runs?pageSize=${size}&page=`;
    const costs = [];
    for (const number of numbers) costs.push(await costOf(service, () => gate.client('GET', path + number)));
    return costs;
  };
  const [, first, last] = await pages(20, [1, 1, 2]);
  expect(last).toEqual(first);
  expect(first?.write).toBe(0);
  // Key, suite, project head, suite head, oldest run, and 20 runs of some 600 bytes.
  expect(first?.read).toBeLessThanOrEqual(12);
  // Free keeps 14 days.
  service.clock.ms = startMs + 15.1 * DAY_MS;
  const [newest, oldest] = await pages(10, [1, 3]);
  expect(oldest?.read).toBeLessThanOrEqual(newest?.read ?? 0);
  // Finding the oldest that is left takes a read for each doubling of the number of runs.
  expect(newest?.read).toBeLessThanOrEqual(20);
});

test('an organisation that is known to be exhausted is refused without a write', async () => {
  const gate = await makeGate(service.baseUrl);
  await gate.add({});
  await setUsed(service.table, gate.project.org_id, monthOf(timestamp(nowMs)), 500);
  const send = (fields: object = {}) =>
    gate.client('POST', '/v1/run', { suite: gate.suite.slug, output: 'ok', ...fields });
  expect((await send()).status).toBe(402);
  for (const fields of [{}, { async: true }]) {
    const cost = await costOf(service, () => send(fields));
    expect(cost.write).toBe(0);
    expect(cost.read).toBeLessThanOrEqual(4);
  }
});

test('a push that changes nothing costs at most 5 read units and no write unit', async () => {
  const gate = await makeGate(service.baseUrl);
  const path = `/v1/projects/${gate.project.slug}/suites`;
  const scorers = { 'says-30': { type: 'contains', config: { values: ['30 days'] } } };
  const cases = Array.from({ length: 100 }, (_, index) => ({
    key: `case-${index}`,
    scorer: 'says-30',
    input: { index },
  }));
  const definition = { version: 1, suite: 'returns', scorers, cases };
  const push = async () =>
    expect((await gate.client('PUT', `${path}/returns/definition`, { definition })).status).toBe(200);
  // The second one reads what the first one wrote.
  for (let nth = 0; nth < 2; nth++) await push();
  const again = await costOf(service, push);
  expect(again.write).toBe(0);
  expect(again.read).toBeLessThanOrEqual(5);
});
