import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { makeCase, makeScorer, makeSuite } from '../../support/builders.ts';
import { expectData, expectInvalid } from '../../support/expectations.ts';
import { costOf, type EngineService, startEngineService } from '../../support/ownService.ts';
import { SLUGS } from '../../support/rules.ts';
import { type Gate, makeGate } from '../runs/gate.ts';

let service: EngineService;
let gate: Gate;
// biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
let [suite, scorer]: any[] = [];
beforeAll(async () => {
  service = await startEngineService();
  gate = await makeGate(service.baseUrl);
  scorer = await makeScorer(gate.client, gate.project);
});
afterAll(() => service.stop());
beforeEach(async () => {
  suite = await makeSuite(gate.client, gate.project);
});

const create = (fields: object) =>
  gate.client('POST', `/v1/suites/${suite.id}/cases`, {
    name: 'A case',
    input: {},
    scorer_id: scorer.id,
    ...fields,
  });
const make = (fields: object) => makeCase(gate.client, suite, scorer, { ...fields });
const patch = (id: string, body: unknown) => gate.client('PATCH', `/v1/cases/${id}`, body);
const get = async (id: string) => (await gate.client('GET', `/v1/cases/${id}`)).body.data;
const remove = (id: string) => gate.client('DELETE', `/v1/cases/${id}`);
const keysOf = async (): Promise<string[]> =>
  (await gate.client('GET', `/v1/suites/${suite.id}/cases?pageSize=100`)).body.data.map(
    ({ key }: { key: string }) => key,
  );

test.each(SLUGS.good)('a case takes a key that is %s, on creation and later', async (_, key) => {
  const created = (await create({ key })).body.data;
  expect(created.key).toBe(key);
  expect(await get(created.id)).toEqual(created);
  const other = await make({ key: 'other' });
  await remove(created.id);
  expect((await patch(other.id, { key })).body.data.key).toBe(key);
  expect(await keysOf()).toEqual([key]);
});

test.each([
  ...SLUGS.bad,
  ['of the form of a UUID', randomUUID()],
  ['of the form of a UUID of no version', 'ffffffff-0000-0000-0000-ffffffffffff'],
])('a key is refused that is %s, on creation and later', async (_, key) => {
  expectInvalid(await create({ key }), 'key');
  const present = await make({});
  expectInvalid(await patch(present.id, { key }), 'key');
  expect(await keysOf()).toEqual([present.key]);
});

test('a key that another case of the suite has is refused by name, and free once that one is deleted', async () => {
  const [first, second] = [await make({ key: 'a' }), await make({ key: 'b' })];
  expectInvalid(await create({ key: 'a' }), 'key');
  expectInvalid(await patch(second.id, { key: 'a' }), 'key');
  expect(await get(second.id)).toEqual(second);
  await remove(first.id);
  expect((await create({ key: 'a' })).status).toBe(201);
  expectInvalid(await patch(second.id, { key: 'a' }), 'key');
});

test('a key that a case gave up is free, and what the case has is not', async () => {
  const first = await make({ key: 'a' });
  await patch(first.id, { key: 'b' });
  expectInvalid(await create({ key: 'b' }), 'key');
  const second = await make({ key: 'a' });
  await remove(second.id);
  expect((await patch(first.id, { key: 'a' })).body.data.key).toBe('a');
  expect((await create({ key: 'b' })).status).toBe(201);
});

test('another suite may have the same key', async () => {
  await make({ key: 'a' });
  suite = await makeSuite(gate.client, gate.project);
  expect((await create({ key: 'a' })).status).toBe(201);
});

test.each([
  ['words', 'Refund window!', 'refund-window'],
  ['letters of another script', 'Łódź', 'lodz'],
  ['nothing that a key may hold', '🎉', 'case'],
  ['200 characters', 'n'.repeat(200), 'n'.repeat(92)],
  ['a UUID', '1f0c1111-2222-4333-8444-555566667777', 'case-1f0c1111-2222-4333-8444-555566667777'],
])('a key is made of a name of %s, and of the same name another one', async (_, name, key) => {
  expect((await make({ name })).key).toBe(key);
  const others = [];
  for (let count = 0; count < 6; count++) others.push((await make({ name })).key);
  expect(others.slice(0, 4)).toEqual([2, 3, 4, 5].map((number) => `${key}-${number}`));
  for (const other of others.slice(4)) expect(other).toMatch(new RegExp(`^${key}-[0-9a-f]{7}$`));
  expect(new Set(others).size).toBe(6);
});

test('a key that was given takes no suffix from the name, and a new name leaves the key', async () => {
  const made = await make({ name: 'One', key: 'given' });
  expect((await patch(made.id, { name: 'Two' })).body.data).toMatchObject({ name: 'Two', key: 'given' });
});

test('cases of one name that are made at once get keys that differ', async () => {
  const made = await Promise.all(Array.from({ length: 12 }, () => create({})));
  expect(made.map(({ status }) => status)).toEqual(Array(12).fill(201));
  expect(new Set(await keysOf()).size).toBe(12);
});

test('of requests that want one key at once, one gets it', async () => {
  const others = await Promise.all([make({}), make({}), make({})]);
  const wanted = [
    ...Array.from({ length: 3 }, () => create({ key: 'wanted' })),
    ...others.map(({ id }) => patch(id, { key: 'wanted' })),
  ];
  const answers = await Promise.all(wanted);
  expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status >= 300)) expectInvalid(answer, 'key');
  expect((await keysOf()).filter((key) => key === 'wanted')).toHaveLength(1);
});

test('what GET answers can be sent back, and changes nothing but the time', async () => {
  const made = await make({ tags: ['a'], must_pass: true, sample_count: 2, sample_pass_rate: 0.5 });
  const back = await patch(made.id, made);
  expectData(back, 200, { ...made, updated_at: back.body.data.updated_at });
});

test('a key costs nothing beside its case', async () => {
  const cost = async (call: () => Promise<unknown>) => (await costOf(service, call)).write;
  await make({ name: 'First' });
  const created = await cost(() => create({ name: 'Second' }));
  const given = await cost(() => create({ key: 'given' }));
  const { id } = await make({ name: 'Third' });
  await remove((await make({ name: 'Fourth' })).id);
  const renamed = await cost(() => patch(id, { name: 'Renamed' }));
  const moved = await cost(() => patch(id, { key: 'moved' }));
  const sentBack = await cost(() => patch(id, { key: 'moved' }));
  const deleted = await cost(() => remove(id));
  expect([given, moved, sentBack]).toEqual([created, renamed, renamed]);
  expect(Math.max(created, renamed, deleted)).toBeLessThanOrEqual(8);
});

test('a list by a key is of the one case that has it, at its place, or empty', async () => {
  await make({ key: 'first' });
  const wanted = await make({ key: 'wanted', input: { question: 'Why?' } });
  const listed = async (query: string) =>
    (await gate.client('GET', `/v1/suites/${suite.id}/cases?${query}`)).body;
  const pagination = { page: 1, pageSize: 20, total: 1, hasMore: false };
  expect(await listed('key=wanted')).toEqual({ data: [{ ...wanted, sort_order: 1 }], pagination });
  expect((await listed('key=wanted&page=2')).data).toEqual([]);
  await patch(wanted.id, { key: 'moved' });
  for (const key of ['wanted', 'want', 'WANTED', '', 'a b', wanted.id, 'constructor']) {
    const none = { data: [], pagination: { ...pagination, total: 0 } };
    expect(await listed(`key=${key}`)).toEqual(none);
  }
  expect((await listed('key=moved')).data).toHaveLength(1);
  await remove(wanted.id);
  expect((await listed('key=moved')).data).toEqual([]);
  expectInvalid(await gate.client('GET', `/v1/suites/${suite.id}/cases?key=${'k'.repeat(101)}`), 'key');
});
