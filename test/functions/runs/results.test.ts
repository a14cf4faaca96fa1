import { beforeAll, describe, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { expectInvalid } from '../../support/expectations.ts';
import { type Gate, makeGate } from './gate.ts';

let gate: Gate;
let runId: string;
beforeAll(async () => {
  gate = await makeGate(sharedServiceUrl());
  for (let index = 0; index < 25; index++) await gate.add({}, { name: `Case ${index}` });
  runId = (await gate.run('ok')).id;
});

const results = (query = '') => gate.client('GET', `/v1/runs/${runId}/results${query}`);
const names = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `Case ${from + index}`);
const namesOf = (data: readonly { case_name: string }[]) => data.map(({ case_name }) => case_name);

describe('GET /v1/runs/:runId/results', () => {
  test('answers all results where the request names no page, and nothing else', async () => {
    const { status, body } = await results();
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['data']);
    expect(namesOf(body.data)).toEqual(names(0, 25));
  });

  test.each([
    ['?page=1', 0, 20, { page: 1, pageSize: 20, total: 25, hasMore: true }],
    ['?page=2', 20, 25, { page: 2, pageSize: 20, total: 25, hasMore: false }],
    ['?pageSize=10', 0, 10, { page: 1, pageSize: 10, total: 25, hasMore: true }],
    ['?page=3&pageSize=10', 20, 25, { page: 3, pageSize: 10, total: 25, hasMore: false }],
    ['?page=9&pageSize=100', 0, 0, { page: 9, pageSize: 100, total: 25, hasMore: false }],
  ])('answers a page of them in their order: %s', async (query, from, to, pagination) => {
    const { status, body } = await results(query);
    expect([status, namesOf(body.data), body.pagination]).toEqual([200, names(from, to), pagination]);
  });

  test.each(['?page=0', '?page=x', '?page=', '?pageSize=101', '?pageSize=0', '?page=1&pageSize=1.5'])(
    'refuses %s',
    async (query) => {
      expectInvalid(await results(query), query.includes('pageSize') ? 'pageSize' : 'page');
    },
  );
});
