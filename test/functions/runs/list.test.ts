import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { type Gate, makeGate } from './gate.ts';

const RUNS = 230;

let service: OwnService;
let gate: Gate;
/** Newest first. */
let ids: string[];
beforeAll(async () => {
  service = await startOwnService();
  gate = await makeGate(service.baseUrl);
  await gate.add({});
  const made: string[] = [];
  for (let number = 1; number <= RUNS; number++) made.push((await gate.run('ok')).id);
  ids = made.reverse();
});
afterAll(() => service.stop());

async function page(query: string) {
  const answer = await gate.client('GET', `/v1/suites/${gate.suite.id}/runs${query}`);
  expect(answer.status).toBe(200);
  return answer.body as {
    data: { id: string; created_at: string; completed_at: string }[];
    pagination: object;
  };
}

test('any page is that slice of all runs, the most recent first, with the exact total', async () => {
  const pages = fc.integer({ min: 1, max: 60 });
  const sizes = fc.integer({ min: 1, max: 100 });
  await fc.assert(
    fc.asyncProperty(pages, sizes, async (number, pageSize) => {
      const { data, pagination } = await page(`?page=${number}&pageSize=${pageSize}`);
      expect(data.map(({ id }) => id)).toEqual(ids.slice((number - 1) * pageSize, number * pageSize));
      const hasMore = number * pageSize < RUNS;
      expect(pagination).toEqual({ page: number, pageSize, total: RUNS, hasMore });
    }),
    { numRuns: 60 },
  );
});

test('without parameters it is the first page of 20', async () => {
  const { data, pagination } = await page('');
  expect(data.map(({ id }) => id)).toEqual(ids.slice(0, 20));
  expect(pagination).toEqual({ page: 1, pageSize: 20, total: RUNS, hasMore: true });
});

test.each([
  [23, 10],
  [50, 5],
  [100, 3],
])('pages of %d are %d pages and put together all runs, each once', async (pageSize, pages) => {
  const all: string[] = [];
  for (let number = 1; number <= pages; number++) {
    const { data, pagination } = await page(`?page=${number}&pageSize=${pageSize}`);
    all.push(...data.map(({ id }) => id));
    expect(pagination).toMatchObject({ hasMore: number < pages });
  }
  expect(all).toEqual(ids);
});

test('created_at never rises down the list and a run never ends before it began', async () => {
  const runs = [...(await page('?pageSize=100')).data, ...(await page('?pageSize=100&page=2')).data];
  for (const [index, { created_at, completed_at }] of runs.entries()) {
    expect(completed_at >= created_at).toBe(true);
    expect(created_at <= (runs[index - 1]?.created_at ?? created_at)).toBe(true);
  }
});

test.each(['?page=13', '?page=999999999', '?page=24&pageSize=10'])(
  'page %s is beyond the end: empty',
  async (query) => {
    const { data, pagination } = await page(query);
    expect(data).toEqual([]);
    expect(pagination).toMatchObject({ total: RUNS, hasMore: false });
  },
);

test('a listed run is the run as it is read by its id', async () => {
  const [listed] = (await page('?page=115&pageSize=2')).data;
  const read = await gate.client('GET', `/v1/runs/${listed?.id}`);
  expect(listed).toStrictEqual(read.body.data);
});

test('a suite that never ran has an empty list', async () => {
  const fresh = await makeGate(service.baseUrl);
  const answer = await fresh.client('GET', `/v1/suites/${fresh.suite.id}/runs`);
  expect(answer.body).toEqual({ data: [], pagination: { page: 1, pageSize: 20, total: 0, hasMore: false } });
});
