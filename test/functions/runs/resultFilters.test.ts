import { beforeAll, describe, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { expectInvalid, expectNotFound } from '../../support/expectations.ts';
import { addWordCases, type Gate, makeGate } from './gate.ts';

const PASSING = 30;

let gate: Gate;
let runId: string;
beforeAll(async () => {
  gate = await makeGate(sharedServiceUrl());
  for (let index = 0; index < PASSING; index++) await gate.add({}, { name: `Passes ${index}` });
  await addWordCases(gate, ['refund', '100%'], { name: 'Fails & waits' });
  await gate.add({ type: 'exact_match', config: {} }, { name: 'Errs' });
  runId = (await gate.run('ok')).id;
});

const results = async (query: Readonly<Record<string, string>>) => {
  const answer = await gate.client('GET', `/v1/runs/${runId}/results?${new URLSearchParams(query)}`);
  return { ...answer, names: answer.body.data?.map(({ case_name }: { case_name: string }) => case_name) };
};

describe('the results of a run, filtered,', () => {
  test.each([
    [{ outcome: 'failed' }, ['Fails & waits', 'Fails & waits', 'Errs']],
    [{ outcome: 'errored' }, ['Errs']],
    [{ outcome: 'missing' }, []],
    [{ q: 'FAILS &' }, ['Fails & waits', 'Fails & waits']],
    [{ q: '"100%"' }, ['Fails & waits']],
    [{ q: 'Passes 2', outcome: 'failed' }, []],
    [{ q: '.*' }, []],
    [{ tag: 'safety' }, []],
  ])('are answered whole where no page is asked for: %j', async (query, names) => {
    const answer = await results(query as Record<string, string>);
    expect([answer.status, answer.names]).toEqual([200, names]);
    expect(Object.keys(answer.body)).toEqual(['data']);
  });

  test('are counted as the run counts them', async () => {
    const { data } = (await gate.client('GET', `/v1/runs/${runId}`)).body;
    for (const outcome of ['passed', 'failed', 'errored']) {
      expect((await results({ outcome })).names).toHaveLength(data[`${outcome}_cases`]);
    }
  });

  test('are paged after they were filtered, not before', async () => {
    const last = await results({ outcome: 'failed', page: '2', pageSize: '2' });
    expect(last.names).toEqual(['Errs']);
    expect(last.body.pagination).toEqual({ page: 2, pageSize: 2, total: 3, hasMore: false });
    const passed = await results({ outcome: 'passed', pageSize: '20' });
    expect(passed.body.pagination).toEqual({ page: 1, pageSize: 20, total: PASSING, hasMore: true });
  });

  test('may be searched for a text of 200 characters, or of none', async () => {
    expect((await results({ q: 'x'.repeat(200) })).names).toEqual([]);
    expect((await results({ q: '' })).names).toHaveLength(PASSING + 3);
  });

  test.each([
    ['outcome', { outcome: 'cleared' }],
    ['outcome', { outcome: '' }],
    ['outcome', { outcome: 'failed,passed' }],
    ['outcome', { outcome: 'constructor' }],
    ['q', { q: 'x'.repeat(201) }],
    ['tag', { tag: '' }],
    ['tag', { tag: 't'.repeat(51) }],
  ])('are refused naming %s: %j', async (field, query) => {
    expectInvalid(await results(query as Record<string, string>), field);
  });

  test('of a run that another organisation has are not found', async () => {
    const other = await makeGate(sharedServiceUrl());
    expectNotFound(await other.client('GET', `/v1/runs/${runId}/results?outcome=failed`));
  });
});
