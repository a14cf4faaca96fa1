import { beforeEach, expect, test } from '@jest/globals';
import { handler as createCase } from '../../../functions/cases/create.ts';
import { handler as deleteCase } from '../../../functions/cases/delete.ts';
import { handler as getCase } from '../../../functions/cases/get.ts';
import { handler as listCases } from '../../../functions/cases/list.ts';
import { handler as reorderCases } from '../../../functions/cases/reorder.ts';
import { handler as updateCase } from '../../../functions/cases/update.ts';
import { handler as getDefinition } from '../../../functions/definitions/get.ts';
import { handler as createScorer } from '../../../functions/scorers/create.ts';
import { CASES_MAX } from '../../../shared/contracts/cases.ts';
import { DEFINITION_BYTES_MAX } from '../../../shared/domain/definitions/limits.ts';
import { LIMIT } from '../../../shared/domain/limits.ts';
import { suiteStore } from '../../../shared/storage/suites/suites.ts';
import { storedCase } from '../../shared/storage/stored.ts';
import { addCases } from '../../support/revisions/bars.ts';
import { call, makeWorld, type World } from '../definitions/world.ts';

/** The handlers on a table in memory: what the storage of cases keeps. */

let at: World;
let scorerId: string;
beforeEach(async () => {
  at = await makeWorld();
  const body = { name: 'Says ok', type: 'contains', config: { values: ['ok'] } };
  scorerId = (await call(createScorer, at, { params: { slug: 'bot' }, body })).body.data.id;
});

const params = () => ({ suiteId: at.suiteId });
const create = (fields: object = {}) => {
  const body = { name: 'A case', input: {}, scorer_id: scorerId, ...fields };
  return call(createCase, at, { params: params(), body });
};
const made = async (fields: object = {}): Promise<string> => (await create(fields)).body.data.id;
const update = (caseId: string, body: object) => call(updateCase, at, { params: { caseId }, body });
const remove = (caseId: string) => call(deleteCase, at, { params: { caseId } });
const page = async (pageSize = '100') =>
  (await call(listCases, at, { params: params(), query: { pageSize } })).body;

/** How the case is seen by id and in a page. */
async function seen(caseId: string) {
  const byId = (await call(getCase, at, { params: { caseId } })).body.data;
  const inPage = (await page()).data.find(({ id }: { id: string }) => id === caseId);
  expect(inPage).toStrictEqual(byId);
  return byId && { input: byId.input, expected: byId.expected };
}

/** An object whose JSON text takes 256 kB. */
const large = (letter: string) => ({ text: letter.repeat(262_144 - '{"text":""}'.length) });

test.each([
  ['small', 'small', { a: 1 }, { b: [1, null] }],
  ['256 kB', '256 kB', large('i'), large('e')],
  ['small', '256 kB', {}, large('e')],
  ['256 kB', 'missing', large('i'), null],
])('a case with %s input and %s expected is kept whole', async (_input, _expected, input, expected) => {
  expect(await seen(await made({ input, expected }))).toStrictEqual({ input, expected });
});

test('expected may grow and shrink over the size of a block, and its neighbours stay what they are', async () => {
  const before = await made({ expected: 'before' });
  const id = await made({ input: large('i'), expected: 'small' });
  const after = await made({ expected: 'after' });
  for (const expected of [large('e'), 'small again', null, large('g'), large('h')]) {
    expect((await update(id, { expected })).body.data.expected).toStrictEqual(expected);
    expect(await seen(id)).toStrictEqual({ input: large('i'), expected });
    expect([(await seen(before))?.expected, (await seen(after))?.expected]).toEqual(['before', 'after']);
  }
});

test.each([
  ['a name of Object', '{"__proto__":{"x":1},"constructor":2,"":[{}]}'],
  ['deep nesting', '['.repeat(60) + ']'.repeat(60)],
  ['numbers at their edges', '[1e-300,-0.5,9007199254740991,1.7976931348623157e308]'],
  ['an order of names', '{"b":1,"a":2,"10":3}'],
])('expected with %s comes back as JSON.parse gave it', async (_what, text) => {
  const id = await made({ expected: JSON.parse(text) });
  expect(JSON.stringify((await seen(id))?.expected)).toBe(JSON.stringify(JSON.parse(text)));
});

test('changes to different fields of one case at once are all kept', async () => {
  const id = await made();
  const changes = [
    { name: 'New' },
    { weight: 3 },
    { threshold: 0.9 },
    { expected: large('e'), input: large('i') },
  ];
  const answers = await Promise.all(changes.map((change) => update(id, change)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const { data } = (await call(getCase, at, { params: { caseId: id } })).body;
  expect(data).toMatchObject({ name: 'New', weight: 3, threshold: 0.9, expected: large('e') });
});

const fill = async (count: number, fields: object = {}) => {
  const suite = await suiteStore(at.runtime.table).find(at.orgId, at.suiteId);
  if (suite === undefined) throw new Error('the suite is there');
  const cases = Array.from({ length: count }, (_, index) =>
    storedCase(suite, { scorer_id: scorerId, key: `filled-${index}`, ...fields }),
  );
  return addCases(at.runtime.table, at.orgId, suite, cases);
};

test('a suite holds 10,000 cases and not one more, also when they come at once', async () => {
  expect(LIMIT.cases).toBe(CASES_MAX);
  await fill(9_998);
  const answers = await Promise.all(Array.from({ length: 5 }, () => create()));
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(3);
  const orders = answers.flatMap(({ body }) => body.data?.sort_order ?? []);
  expect(orders.toSorted()).toEqual([9_998, 9_999]);
  expect((await page('1')).pagination.total).toBe(10_000);
});

test('new orders, new cases and deletions at once lose nothing and bring nothing back', async () => {
  const ids = await fill(8);
  const case_ids = ids.toReversed();
  const reverse = () => call(reorderCases, at, { params: params(), body: { case_ids } });
  const [, , added] = await Promise.all([
    reverse(),
    remove(ids[0] ?? ''),
    Promise.all([create(), create(), create()]),
    reverse(),
  ]);
  const expected = [...ids.slice(1), ...added.map(({ body }) => body.data.id)];
  const { data } = await page();
  expect(data.map(({ id }: { id: string }) => id).toSorted()).toEqual(expected.toSorted());
  expect(data.map(({ sort_order }: { sort_order: number }) => sort_order)).toEqual([...data.keys()]);
});

test('a deleted case is gone by its id and from pages', async () => {
  const id = await made({ input: large('i') });
  await remove(id);
  expect([await seen(id), (await page()).pagination.total]).toEqual([undefined, 0]);
});

test('a suite of more bytes than an answer may be made of is not answered as one document', async () => {
  const input = { text: 'i'.repeat(250_000) };
  const read = () => call(getDefinition, at, { params: { slug: 'bot', suiteSlug: 'returns' } });
  const count = Math.floor(DEFINITION_BYTES_MAX / 251_000);
  await fill(count, { input });
  expect(JSON.stringify((await read()).body)).toContain('Accept-Encoding');
  await fill(3, { input, key: 'one-more' });
  expect(JSON.stringify((await read()).body)).toContain('16 MB');
});
