import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Api } from './api.ts';
import { expectInvalid } from './expectations.ts';
import { BAD_PAGES } from './rules.ts';

interface Listed {
  readonly client: Api;
  readonly path: string;
  // biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
  readonly create: () => Promise<any>;
  readonly order: 'newest first' | 'oldest first';
}

/** Tests of every list with pages. `prepare` returns an empty list. */
export function describePages(title: string, prepare: () => Promise<Listed>): void {
  describe(title, () => {
    let list: Listed;
    // biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
    let all: any[];

    const get = (query: string) => list.client('GET', list.path + query);

    beforeAll(async () => {
      list = await prepare();
      const empty = await get('');
      expect({ status: empty.status, body: empty.body }).toEqual({
        status: 200,
        body: { data: [], pagination: { page: 1, pageSize: 20, total: 0, hasMore: false } },
      });
      all = [];
      for (let count = 0; count < 22; count++) all.push(await list.create());
      if (list.order === 'newest first') all.reverse();
    });

    test.each([
      ['', 1, 20],
      ['?page=1', 1, 20],
      ['?page=2', 2, 20],
      ['?pageSize=100', 1, 100],
      ['?pageSize=1&page=22', 22, 1],
      ['?pageSize=11&page=1', 1, 11],
      ['?pageSize=11&page=2', 2, 11],
      ['?pageSize=7&page=4', 4, 7],
      ['?page=3', 3, 20],
      ['?page=999999999', 999_999_999, 20],
      ['?other=1', 1, 20],
    ])('%s shows its part of the whole resources, in order', async (query, page, pageSize) => {
      const answer = await get(query);
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 200,
        body: {
          data: all.slice((page - 1) * pageSize, page * pageSize),
          pagination: { page, pageSize, total: 22, hasMore: page * pageSize < 22 },
        },
      });
    });

    test.each(BAD_PAGES)('?%s is refused by name', async (query, path) => {
      expectInvalid(await get(`?${query}`), path);
    });

    test('names both parameters when both are wrong', async () => {
      expectInvalid(await get('?page=0&pageSize=0'), 'page', 'pageSize');
    });
  });
}
