import { beforeAll, describe, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../../support/api.ts';
import { makeTrust, right, type Trust } from './trust.ts';

let trust: Trust;
let runId: string;
beforeAll(async () => {
  trust = await makeTrust(sharedServiceUrl());
  await trust.patchCase('a', { tags: ['safety', 'money'], name: 'Refund window' });
  await trust.patchCase('b', { tags: ['safety'] });
  const run = await trust.run([
    ...right('a'),
    { case: 'b', output: 'x' },
    { case: 'c', error: '429 Too Many' },
  ]);
  runId = run.id;
  // As it was when the run was made.
  await trust.patchCase('c', { tags: ['safety'] });
});

const keys = async (query: Readonly<Record<string, string>>) => {
  const answer = await trust.client('GET', `/v1/runs/${runId}/results?${new URLSearchParams(query)}`);
  return answer.body.data.map(({ key }: { key: string }) => key);
};

describe('the results of outputs, filtered,', () => {
  test.each([
    [{ outcome: 'passed' }, ['a']],
    [{ outcome: 'failed' }, ['b', 'c', 'd']],
    [{ outcome: 'errored' }, ['c']],
    [{ outcome: 'missing' }, ['d']],
    [{ tag: 'safety' }, ['a', 'b']],
    [{ tag: 'money' }, ['a']],
    [{ tag: 'mon' }, []],
    [{ tag: 'safety', outcome: 'failed' }, ['b']],
    [{ q: 'refund W' }, ['a']],
    [{ q: 'case B' }, ['b']],
    [{ q: 'too many' }, ['c']],
    [{ q: 'no output was sent' }, ['d']],
    [{ tag: 'safety', outcome: 'missing' }, []],
  ])('are those that everything given holds for: %j', async (query, expected) => {
    expect(await keys(query as Record<string, string>)).toEqual(expected);
  });

  test('are counted as the run counts them, and paged over the whole run', async () => {
    const { data } = (await trust.client('GET', `/v1/runs/${runId}`)).body;
    for (const outcome of ['passed', 'failed', 'errored', 'missing']) {
      expect(await keys({ outcome })).toHaveLength(data[`${outcome}_cases`]);
    }
    expect(await keys({ outcome: 'failed', page: '2', pageSize: '2' })).toEqual(['d']);
  });

  test('find a case by its key', async () => {
    await trust.patchCase('d', { key: 'opening-hours' });
    const { id } = await trust.run(right('a'));
    const answer = await trust.client('GET', `/v1/runs/${id}/results?q=OPENING-h`);
    expect(answer.body.data).toMatchObject([{ key: 'opening-hours', missing: true }]);
  });
});
