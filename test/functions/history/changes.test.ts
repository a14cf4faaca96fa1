import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { EvalCase } from '../../../shared/contracts/cases.ts';
import { DAY_MS } from '../../../shared/domain/time.ts';
import { documentDigest } from '../../../shared/scoring/digest/documents.ts';
import { type Api, api, signUp } from '../../support/api.ts';
import { makeCase, makeScorer } from '../../support/builders.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { type Gate, makeGate } from '../runs/gate.ts';

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is for the test to judge
type Entry = any;

let service: OwnService;
let gate: Gate;
let evalCase: EvalCase;
beforeAll(async () => {
  service = await startOwnService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  service.clock.ms = Date.parse('2036-05-05T12:00:00.000Z');
  gate = await makeGate(service.baseUrl, { pass_threshold: 0.6 });
  evalCase = await gate.add({ key: 'says' }, { key: 'first', name: 'First', expected: 'ok' });
});

const suitePath = () => `/v1/projects/${gate.project.slug}/suites/${gate.suite.slug}`;
async function changesAt(path: string, query = ''): Promise<{ data: Entry[]; pagination: Entry }> {
  const { status, body } = await gate.client('GET', `${path}/changes${query}`);
  expect([status, body.error]).toEqual([200, undefined]);
  return body;
}
const suiteChanges = async (query?: string) => changesAt(`/v1/suites/${gate.suite.id}`, query);
const scorerChanges = async (query?: string) => changesAt(`/v1/scorers/${evalCase.scorer_id}`, query);
async function send(method: string, path: string, body?: object, client: Api = gate.client): Promise<Entry> {
  const answer = await client(method, path, body);
  expect([answer.status < 300, answer.body?.error]).toEqual([true, undefined]);
  return answer.body?.data;
}
const definition = (fields: object = {}) => ({
  definition: {
    version: 1,
    suite: gate.suite.slug,
    name: 'A suite',
    pass_threshold: 0.6,
    scorers: { says: { name: 'A scorer', type: 'contains', config: { values: ['ok'] } } },
    cases: [{ key: 'first', name: 'First', scorer: 'says', input: {}, expected: 'ok' }],
    ...fields,
  },
  prune: true,
  allow_weaker: true,
});

test('each write is one entry with who, when and what changed, the newest first', async () => {
  service.clock.ms = (service.clock.ms ?? 0) + 1_000;
  await send('PATCH', suitePath(), { pass_threshold: 0.7, description: 'Why' });
  await send('PATCH', `/v1/cases/${evalCase.id}`, { expected: 'yes', threshold: 0.4 });
  const scorer = await makeScorer(gate.client, gate.project);
  const second = await makeCase(gate.client, gate.suite, scorer, { key: 'second', name: 'Second' });
  await send('POST', `/v1/suites/${gate.suite.id}/cases/reorder`, { case_ids: [second.id, evalCase.id] });
  await send('DELETE', `/v1/cases/${second.id}`);
  const { data, pagination } = await suiteChanges();
  expect(pagination).toEqual({ page: 1, pageSize: 20, total: 7, hasMore: false });
  const ofFirst = { type: 'case', id: evalCase.id, key: 'first', name: 'First' };
  const ofSecond = { type: 'case', id: second.id, key: 'second', name: 'Second' };
  const ofSuite = { type: 'suite', id: gate.suite.id, key: gate.suite.slug, name: 'A suite' };
  expect(data.map(({ action, target }) => [action, target])).toEqual([
    ['deleted', ofSecond],
    ['reordered', ofSuite],
    ['created', ofSecond],
    ['updated', ofFirst],
    ['updated', ofSuite],
    ['created', ofFirst],
    ['created', ofSuite],
  ]);
  expect(data[1].changes).toEqual({
    order: { from: [evalCase.id, second.id], to: [second.id, evalCase.id] },
  });
  expect(data[3].changes).toEqual({
    expected: { from: 'ok', to: 'yes' },
    threshold: { from: evalCase.threshold, to: 0.4 },
  });
  expect(data[4].changes).toEqual({
    pass_threshold: { from: 0.6, to: 0.7 },
    description: { from: null, to: 'Why' },
  });
  expect(data[5].changes).toMatchObject({ key: { from: null, to: 'first' }, input: { from: null, to: {} } });
  expect(data[6].changes).toMatchObject({ pass_threshold: { from: null, to: 0.6 } });
  expect(data[0].changes.key).toEqual({ from: 'second', to: null });
  const by = { type: 'api_key', key_id: expect.any(String), label: expect.any(String) };
  for (const entry of data) expect(entry).toMatchObject({ id: expect.any(String), by });
  expect([data[4].at, data[5].at]).toEqual(['2036-05-05T12:00:01.000Z', '2036-05-05T12:00:00.000Z']);
  expect((await suiteChanges('?page=3&pageSize=3')).data).toEqual([data[6]]);
  expect((await suiteChanges('?page=2&pageSize=3')).data).toEqual(data.slice(3, 6));
  expect(await suiteChanges('?page=9')).toMatchObject({ data: [], pagination: { total: 7 } });
});

test('a refused request, and one that changes nothing, leave no entry', async () => {
  await send('PUT', `${suitePath()}/definition`, definition());
  const before = (await suiteChanges()).pagination.total;
  expect((await gate.client('PATCH', suitePath(), { pass_threshold: 2 })).status).toBe(400);
  expect((await gate.client('PATCH', suitePath(), { name: 'x', expected_version: 999 })).status).toBe(409);
  await send('PATCH', suitePath(), {});
  await send('PUT', `${suitePath()}/definition`, { ...definition(), dry_run: true });
  await send('PUT', `${suitePath()}/definition`, definition());
  expect((await suiteChanges()).pagination.total).toBe(before);
});

test('a push is one entry, with what it did to cases and scorers', async () => {
  await send(
    'PUT',
    `${suitePath()}/definition`,
    definition({
      pass_threshold: 0.8,
      scorers: { says: { name: 'A scorer', type: 'contains', config: { values: ['yes'] } } },
      cases: [
        { key: 'new', name: 'New', scorer: 'says', input: {} },
        { key: 'first', name: 'First', scorer: 'says', input: {}, expected: 'yes' },
      ],
    }),
  );
  const { data } = await suiteChanges();
  expect(data[0]).toMatchObject({
    action: 'pushed',
    changes: { pass_threshold: { from: 0.6, to: 0.8 }, order: { to: [expect.any(String), evalCase.id] } },
    members: { created: 1, updated: 2, deleted: 0 },
  });
  const ofScorer = {
    config: { from: { values: ['ok'], mode: 'all' }, to: { values: ['yes'], mode: 'all' } },
  };
  expect(data[0].members.first).toEqual([
    {
      action: 'updated',
      target: { type: 'case', id: evalCase.id, key: 'first', name: 'First' },
      changes: { expected: { from: 'ok', to: 'yes' } },
    },
    { action: 'created', target: expect.objectContaining({ key: 'new' }), changes: expect.any(Object) },
    {
      action: 'updated',
      target: expect.objectContaining({ type: 'scorer', key: 'says' }),
      changes: ofScorer,
    },
  ]);
  const [pushed, made] = (await scorerChanges()).data;
  expect(pushed).toMatchObject({ id: data[0].id, action: 'pushed', changes: ofScorer });
  expect(made).toMatchObject({ action: 'created', changes: { config: { from: null } } });
});

test('of more than 100 cases that one push changes the first 100 are listed, and all are counted', async () => {
  const cases = Array.from({ length: 130 }, (_, at) => ({
    key: `c${at}`,
    name: `Case ${at}`,
    scorer: 'says',
    input: {},
  }));
  await send('PUT', `${suitePath()}/definition`, definition({ cases }));
  const [entry] = (await suiteChanges('?pageSize=1')).data;
  expect(entry.members).toMatchObject({ created: 130, updated: 0, deleted: 1 });
  expect(entry.members.first).toHaveLength(100);
});

test('the changes of a scorer are those of its own row, whatever became of others in the same revisions', async () => {
  const other = await makeScorer(gate.client, gate.project, { key: 'other' });
  const path = `/v1/scorers/${evalCase.scorer_id}`;
  for (const name of ['Two', 'Three', 'Four']) {
    await send('PATCH', `/v1/scorers/${other.id}`, { name: `Other ${name}` });
    await send('PATCH', path, { name });
  }
  const { data, pagination } = await scorerChanges();
  expect(data.map(({ changes }) => changes.name)).toEqual([
    { from: 'Three', to: 'Four' },
    { from: 'Two', to: 'Three' },
    { from: 'A scorer', to: 'Two' },
    { from: null, to: 'A scorer' },
  ]);
  expect(pagination).toMatchObject({ total: 4, hasMore: false });
  expect(await scorerChanges('?page=2&pageSize=1')).toEqual({
    data: [data[1]],
    pagination: { page: 2, pageSize: 1, total: 4, hasMore: true },
  });
  expect(await scorerChanges('?page=3')).toMatchObject({ data: [], pagination: { total: 4 } });
});

test('values over 4 kB, and the texts of cases that are deleted by now, are shown as digests', async () => {
  const large = 'x'.repeat(5_000);
  await send('PATCH', `/v1/cases/${evalCase.id}`, { expected: large });
  const [entry] = (await suiteChanges()).data;
  const hidden = { sha256: documentDigest(large), bytes: 5_002 };
  expect(entry.changes).toEqual({ expected: { from: 'ok', to: hidden } });
  await send('DELETE', `/v1/cases/${evalCase.id}`);
  const { data } = await suiteChanges();
  const ok = { sha256: documentDigest('ok'), bytes: 4 };
  expect(data[0].changes).toMatchObject({ expected: { from: hidden, to: null }, key: { from: 'first' } });
  expect(data[1].changes).toEqual({ expected: { from: ok, to: hidden } });
  expect(data[2].changes).toMatchObject({ expected: { from: null, to: ok } });
});

test('an entry whose texts a purge has dropped shows their digests, and that a config is gone', async () => {
  await send('PATCH', `/v1/cases/${evalCase.id}`, { expected: 'yes' });
  await send('PATCH', `/v1/scorers/${evalCase.scorer_id}`, { config: { values: ['yes'] } });
  const items = await service.items();
  for (const item of items.filter(({ sk }) => String(sk).startsWith('TEXTS#'))) {
    await service.table.delete({ pk: String(item.pk), sk: String(item.sk) });
  }
  service.clock.ms = (service.clock.ms ?? 0) + DAY_MS;
  const [ofCase] = (await suiteChanges()).data;
  const gone = (value: unknown) => ({ sha256: documentDigest(value) });
  expect(ofCase.changes.expected).toEqual({ from: gone('ok'), to: gone('yes') });
  const [ofScorer] = (await scorerChanges()).data;
  expect(ofScorer.changes).toEqual({ config: { from: { sha256: null }, to: { sha256: null } } });
});

test('changes are read with scope full only, and those of others are the 404 of a path that does not exist', async () => {
  const paths = [`/v1/suites/${gate.suite.id}/changes`, `/v1/scorers/${evalCase.scorer_id}/changes`];
  const { key } = await send('POST', '/v1/api-keys', { name: 'Suites', scope: 'suites' });
  const stranger = await signUp(service.baseUrl);
  for (const path of paths) {
    const refused = await api(service.baseUrl, key)('GET', path);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'SCOPE_REQUIRED']);
    const missing = await stranger('GET', path);
    const nothing = await gate.client('GET', path.replace(/[0-9a-f]{12}\//, '000000000000/'));
    expect([missing.status, missing.body]).toEqual([404, nothing.body]);
  }
});
