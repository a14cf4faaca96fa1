import { beforeAll, expect, test } from '@jest/globals';
import { Evalgate, GateNotCleared, NotFoundError, RequestError } from '../../../clients/sdk/index.ts';
import { ENVIRONMENT } from '../../../clients/sdk/transport/environment.ts';
import { sharedServiceUrl } from '../../support/api.ts';

const url = sharedServiceUrl();
let gate: Evalgate;
let apiKey: string;
let suiteId: string;

beforeAll(async () => {
  const signedUp = await new Evalgate({ url }).auth.signup({ name: 'With the SDK' });
  apiKey = signedUp.api_key.key;
  gate = new Evalgate({ url: `${url}/`, apiKey });
  await gate.projects.create({ name: 'Bot', slug: 'bot' });
  const suite = await gate.suites.create('bot', { name: 'Returns', slug: 'returns' });
  suiteId = suite.id;
  const { id } = await gate.scorers.create('bot', {
    name: 'Says 30 days',
    type: 'contains',
    config: { values: ['30 days'] },
  });
  for (const name of ['window', 'refund', 'letter']) {
    await gate.cases.create(suiteId, { name, input: {}, scorer_id: id });
  }
});

const GOOD = { suite: 'returns', output: 'within 30 days' };

test('run() clears a good answer and names the failures of a bad one', async () => {
  const good = await gate.run(GOOD, { wait: '1m' });
  good.assertCleared();
  const bad = await gate.run({ suite: 'returns', output: 'never' }, { wait: '1m' });
  expect(bad.failures.map((failure) => failure.case).sort()).toEqual(['letter', 'refund', 'window']);
  expect(() => bad.assertCleared()).toThrow(GateNotCleared);
});

test('a run that is answered later has the outcome of one that is answered at once', async () => {
  const bad = { suite: 'returns', output: 'never' };
  const now = await gate.run(bad);
  const later = await gate.run({ ...bad, async: true });
  for (const field of ['status', 'pass_rate', 'total_cases', 'failed_cases', 'verdict'] as const) {
    expect(later[field]).toEqual(now[field]);
  }
  const sorted = ({ failures }: typeof now) =>
    failures.map((failure) => [failure.key, failure.score, failure.reason]).sort();
  expect(sorted(later)).toEqual(sorted(now));
  expect(await gate.wait(later.id, { wait: 0 })).toMatchObject({ id: later.id, status: 'aborted' });
});

test('a run whose first answers get lost on the way is one run', async () => {
  const before = (await gate.runs.list(suiteId).page()).pagination?.total;
  let lost = 0;
  const flaky = new Evalgate({
    url,
    apiKey,
    environment: {
      sleep: async () => undefined,
      async fetch(address, request) {
        const response = await ENVIRONMENT.fetch(address, request);
        if (lost++ >= 3) return response;
        await response.text();
        throw new TypeError('fetch failed', { cause: new Error('read ECONNRESET') });
      },
    },
  });
  (await flaky.run(GOOD)).assertCleared();
  expect(lost).toBeGreaterThan(3);
  expect((await gate.runs.list(suiteId).page()).pagination?.total).toBe((before ?? 0) + 1);
});

test('lists are read page by page', async () => {
  const names: string[] = [];
  for await (const { name } of gate.cases.list(suiteId, { pageSize: 2 })) names.push(name);
  expect(names).toEqual(['window', 'refund', 'letter']);
  const { data, pagination } = await gate.cases.list(suiteId, { pageSize: 2 }).page();
  expect([data.length, pagination?.hasMore]).toEqual([2, true]);
  const { id } = await gate.run(GOOD);
  const results: string[] = [];
  for await (const { key } of gate.runs.results(id, { outcome: 'passed', pageSize: 1 })) results.push(key);
  expect(results).toHaveLength(3);
  expect((await gate.runs.results(id).page()).data).toHaveLength(3);
});

test('outputs of more than 64 kB arrive', async () => {
  const outputs = ['window', 'refund', 'letter'].map((name) => ({
    case: name,
    output: `within 30 days ${'x'.repeat(40_000)}`,
  }));
  (await gate.run({ suite: 'returns', outputs })).assertCleared();
});

test('an error of the service keeps its own words', async () => {
  const unknown = await gate.suites.get('bot', 'no-such').catch((error) => error);
  expect(unknown).toBeInstanceOf(NotFoundError);
  expect(unknown).toMatchObject({ status: 404, code: 'NOT_FOUND', message: 'No such suite.' });
  const invalid = await gate.projects.create({ name: '' }).catch((error) => error);
  expect(invalid).toBeInstanceOf(RequestError);
  expect(invalid.details.issues).toMatchObject([{ path: 'name' }]);
});

test('a resource is changed and deleted', async () => {
  const { slug } = await gate.projects.create({ name: 'Short-lived' });
  expect(await gate.projects.update(slug, { name: 'Still there' })).toMatchObject({ name: 'Still there' });
  expect(await gate.projects.delete(slug)).toBeUndefined();
  expect(await gate.health.get()).toMatchObject({ status: 'ok' });
});
