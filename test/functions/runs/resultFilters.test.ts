import { beforeAll, describe, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { expectInvalid, expectNotFound } from '../../support/expectations.ts';
import { makeGate } from './gate.ts';
import { KEYS, makeTrust, right, type Trust } from './outputs/trust.ts';

let trust: Trust;
let runId: string;
beforeAll(async () => {
  trust = await makeTrust(sharedServiceUrl());
  await trust.patchCase('a', { tags: ['safety', 'money'], name: 'Refund window' });
  await trust.patchCase('b', { tags: ['safety'] });
  const run = await trust.run([
    ...right('a'),
    { case: 'b', output: '100%' },
    { case: 'c', error: '429 Too Many' },
  ]);
  runId = run.id;
  // As it was when the run was made.
  await trust.patchCase('c', { tags: ['safety'] });
});

type Query = Readonly<Record<string, string>>;

const results = (query: Query, id = runId) =>
  trust.client('GET', `/v1/runs/${id}/results?${new URLSearchParams(query)}`);
const keys = async (query: Query) => (await results(query)).body.data.map(({ key }: { key: string }) => key);

describe('the results of a run, filtered,', () => {
  test.each<[Query, string[]]>([
    [{ outcome: 'passed' }, ['a']],
    [{ outcome: 'failed' }, ['b', 'c', 'd']],
    [{ outcome: 'errored' }, ['c']],
    [{ outcome: 'missing' }, ['d']],
    [{ tag: 'safety' }, ['a', 'b']],
    [{ tag: 'money' }, ['a']],
    [{ tag: 'mon' }, []],
    [{ tag: 'safety', outcome: 'failed' }, ['b']],
    [{ tag: 'safety', outcome: 'missing' }, []],
    [{ q: 'refund W' }, ['a']],
    [{ q: 'case B' }, ['b']],
    [{ q: 'too many' }, ['c']],
    [{ q: 'no output was sent' }, ['d']],
    [{ q: '.*' }, []],
    [{ q: 'x'.repeat(200) }, []],
    [{ q: '' }, ['a', 'b', 'c', 'd']],
  ])('are all those that everything given holds for: %j', async (query, expected) => {
    const { data, pagination } = (await results(query)).body;
    expect(data.map(({ key }: { key: string }) => key)).toEqual(expected);
    expect(pagination).toEqual({ page: 1, pageSize: 20, total: expected.length, hasMore: false });
  });

  test('are counted as the run counts them, and paged after they were filtered', async () => {
    const { data } = (await trust.client('GET', `/v1/runs/${runId}`)).body;
    for (const outcome of ['passed', 'failed', 'errored', 'missing']) {
      expect(await keys({ outcome })).toHaveLength(data[`${outcome}_cases`]);
    }
    const page = (number: number) => ({ outcome: 'failed', page: String(number), pageSize: '2' });
    expect([await keys(page(1)), await keys(page(2))]).toEqual([['b', 'c'], ['d']]);
    const { pagination } = (await results(page(1))).body;
    expect(pagination).toEqual({ page: 1, pageSize: 2, total: 3, hasMore: true });
  });

  test('are sorted over the whole run before they are paged, with any filter', async () => {
    const sorted = await trust.run(
      [...KEYS].map((key, index) => ({
        case: key,
        output: key === 'b' ? key : 'wrong',
        metadata: { latency_ms: [20, 40, 30, 20][index], cost_usd: 0.1 },
      })),
    );
    const pagesOf = async (query: Query): Promise<string[]> => {
      const pages = ['1', '2', '3', '4'].map((page) => results({ ...query, page, pageSize: '1' }, sorted.id));
      return (await Promise.all(pages)).flatMap(({ body }) =>
        body.data.map(({ key }: { key: string }) => key),
      );
    };
    expect(await pagesOf({ sort: 'latency_ms' })).toEqual(['b', 'c', 'a', 'd']);
    expect(await pagesOf({ sort: 'cost_usd' })).toEqual(['a', 'b', 'c', 'd']);
    expect(await pagesOf({ sort: 'score', outcome: 'failed' })).toEqual(['a', 'c', 'd']);
    expect(await pagesOf({ sort: 'latency_ms', outcome: 'failed' })).toEqual(['c', 'a', 'd']);
    expect(await pagesOf({ sort: 'latency_ms', tag: 'safety' })).toEqual(['b', 'c', 'a']);
    expect(await pagesOf({ sort: 'score', outcome: 'failed', tag: 'safety', q: 'case' })).toEqual(['c']);
    await trust.patchCase('d', { weight: 5 });
    await trust.patchCase('c', { must_pass: true });
    const grave = await trust.run(right('a'));
    const found = (await results({}, grave.id)).body.data.map(({ key }: { key: string }) => key);
    expect(found).toEqual(['c', 'd', 'a', 'b']);
    await trust.patchCase('c', { must_pass: false });
  });

  test('find a case by its key', async () => {
    await trust.patchCase('d', { key: 'opening-hours' });
    const { id } = await trust.run(right('a'));
    const answer = await results({ q: 'OPENING-h' }, id);
    expect(answer.body.data).toMatchObject([{ key: 'opening-hours', missing: true }]);
  });

  test.each<[string, Query]>([
    ['outcome', { outcome: 'cleared' }],
    ['outcome', { outcome: '' }],
    ['outcome', { outcome: 'failed,passed' }],
    ['outcome', { outcome: 'constructor' }],
    ['sort', { sort: 'name' }],
    ['sort', { sort: '' }],
    ['q', { q: 'x'.repeat(201) }],
    ['tag', { tag: '' }],
    ['tag', { tag: 't'.repeat(51) }],
  ])('are refused naming %s: %j', async (field, query) => {
    expectInvalid(await results(query), field);
  });

  test('of a run that another organisation has are not found', async () => {
    const other = await makeGate(sharedServiceUrl());
    expectNotFound(await other.client('GET', `/v1/runs/${runId}/results?outcome=failed`));
  });
});
