import { beforeAll, describe, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { expectInvalid, expectNotFound } from '../../support/expectations.ts';
import { makeGate } from './gate.ts';
import { makeTrust, right, type Trust } from './outputs/trust.ts';

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
    const { body } = await results(query);
    expect(body.data.map(({ key }: { key: string }) => key)).toEqual(expected);
    expect(Object.keys(body)).toEqual(['data']);
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
