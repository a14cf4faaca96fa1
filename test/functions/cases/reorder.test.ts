import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { expectData, expectInvalid, expectNotFound } from '../../support/expectations.ts';

let client: Api;
// biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
let [project, scorer, suite, a, b, c, idle1, idle2]: any[] = [];
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
  project = await makeProject(client);
  scorer = await makeScorer(client, project);
});
beforeEach(async () => {
  suite = await makeSuite(client, project);
  const add = (is_active: boolean) => makeCase(client, suite, scorer, { is_active });
  [a, idle1, b, idle2, c] = [
    await add(true),
    await add(false),
    await add(true),
    await add(false),
    await add(true),
  ];
});

const reorder = (case_ids: unknown, id = suite.id) =>
  client('POST', `/v1/suites/${id}/cases/reorder`, { case_ids });
const order = async () =>
  (await client('GET', `/v1/suites/${suite.id}/cases`)).body.data.map(({ id }: { id: string }) => id);
const inOrder = (...cases: { id: string }[]) => cases.map(({ id }) => id);
const placed = (...cases: object[]) => cases.map((each, sort_order) => ({ ...each, sort_order }));

describe('POST /v1/suites/:suiteId/cases/reorder', () => {
  test('answers the cases in the new order, each with its place and otherwise as it was', async () => {
    const wanted = [c, idle2, a, b, idle1];
    expectData(await reorder(inOrder(...wanted)), 200, placed(...wanted));
    expect(await order()).toEqual(inOrder(...wanted));
    expect((await client('GET', `/v1/cases/${c.id}`)).body.data).toEqual({ ...c, sort_order: 0 });
  });

  test('lets inactive cases be left out, which keep following in their order', async () => {
    expectData(await reorder(inOrder(b, a, c)), 200, placed(b, a, c, idle1, idle2));
    expectData(await reorder(inOrder(idle2, c, b, a)), 200, placed(idle2, c, b, a, idle1));
    expect(await order()).toEqual(inOrder(idle2, c, b, a, idle1));
  });

  test('the present order changes nothing', async () => {
    const all = [a, idle1, b, idle2, c];
    expectData(await reorder(inOrder(...all)), 200, all);
  });

  test('puts a case that is added later at the end', async () => {
    await reorder(inOrder(c, b, a));
    expect((await makeCase(client, suite, scorer)).sort_order).toBe(5);
  });

  test('takes ids in upper case, and knows them as the same', async () => {
    expect((await reorder(inOrder(c, b, a).map((id) => id.toUpperCase()))).status).toBe(200);
    expectInvalid(await reorder([...inOrder(a, b, c), a.id.toUpperCase()]), 'case_ids');
  });

  test('of an empty suite is an empty list', async () => {
    const empty = await makeSuite(client, project);
    expectData(await reorder([], empty.id), 200, []);
  });

  test.each([
    ['leaves out an active case', () => inOrder(a, b, idle1, idle2)],
    ['is empty', () => []],
    ['names a case twice', () => inOrder(a, b, c, b)],
    ['names an inactive case twice', () => inOrder(a, b, c, idle1, idle1)],
    ['is missing', () => undefined],
    ['is null', () => null],
    ['is an object', () => ({})],
    ['is an id', () => a.id],
  ])('refuses a list that %s, and changes nothing', async (_, list) => {
    expectInvalid(await reorder(list()), 'case_ids');
    expect(await order()).toEqual(inOrder(a, idle1, b, idle2, c));
  });

  test('names each element that is no id', async () => {
    const answer = await reorder([a.id, 'x', b.id, 5, null]);
    expectInvalid(answer, 'case_ids.1', 'case_ids.3', 'case_ids.4');
  });

  test('refuses more ids than a suite can have, without reading them', async () => {
    expectInvalid(await reorder(Array(10_001).fill(a.id)), 'case_ids');
  });

  test('is 404 for a case that is not in the suite, and changes nothing', async () => {
    const elsewhere = await makeCase(client, await makeSuite(client, project), scorer);
    const gone = await makeCase(client, suite, scorer);
    await client('DELETE', `/v1/cases/${gone.id}`);
    for (const stray of [randomUUID(), elsewhere.id, gone.id, suite.id]) {
      expectNotFound(await reorder([...inOrder(c, b, a), stray]));
    }
    expect(await order()).toEqual(inOrder(a, idle1, b, idle2, c));
  });

  test('is 404 for a suite that does not exist', async () => {
    expectNotFound(await reorder([], randomUUID()));
  });

  test('at the same time ends in one of the orders, whole', async () => {
    const orders = [
      inOrder(a, b, c, idle1, idle2),
      inOrder(c, b, a, idle2, idle1),
      inOrder(idle1, idle2, b, c, a),
    ];
    const answers = await Promise.all([...orders, ...orders].map((ids) => reorder(ids)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    for (const { body } of answers) expect(orders).toContainEqual(inOrder(...body.data));
    expect(orders).toContainEqual(await order());
  });

  test('while cases are added and deleted loses none and doubles none', async () => {
    const [reordered, added, deleted] = await Promise.all([
      reorder(inOrder(c, b, a)),
      Promise.all(Array.from({ length: 5 }, () => makeCase(client, suite, scorer, { is_active: false }))),
      client('DELETE', `/v1/cases/${idle1.id}`),
    ]);
    expect([reordered.status, deleted.status]).toEqual([200, 204]);
    const ids = await order();
    expect([...ids].sort()).toEqual(inOrder(a, b, c, idle2, ...added).sort());
    expect(ids.filter((id: string) => inOrder(a, b, c).includes(id))).toEqual(inOrder(c, b, a));
  });
});
