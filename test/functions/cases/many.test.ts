import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';

interface Placed {
  readonly id: string;
  readonly sort_order: number;
}

let client: Api;
// biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
let [project, scorer]: any[] = [];
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
  project = await makeProject(client);
  scorer = await makeScorer(client, project);
});

const places = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const ordersOf = (cases: readonly Placed[]) => cases.map(({ sort_order }) => sort_order);

async function allCases(suiteId: string): Promise<Placed[]> {
  const all: Placed[] = [];
  for (let page = 1; ; page++) {
    const { data, pagination } = (
      await client('GET', `/v1/suites/${suiteId}/cases?pageSize=100&page=${page}`)
    ).body;
    all.push(...data);
    if (!pagination.hasMore) return all;
  }
}

describe('many cases in one suite', () => {
  test('created at the same time all get a place of their own, in the answers and in the list', async () => {
    const suite = await makeSuite(client, project);
    const made: Placed[] = await Promise.all(places(40).map(() => makeCase(client, suite, scorer)));
    expect(ordersOf(made).sort((x, y) => x - y)).toEqual(places(40));
    const listed = await allCases(suite.id);
    expect(ordersOf(listed)).toEqual(places(40));
    expect(listed).toEqual([...made].sort((x, y) => x.sort_order - y.sort_order));
  });

  test('keep their order over 200 and more, however they are moved, deleted and added', async () => {
    const suite = await makeSuite(client, project);
    const made: Placed[] = [];
    while (made.length < 205) {
      made.push(...(await Promise.all(places(41).map(() => makeCase(client, suite, scorer)))));
    }
    const ids = made.sort((x, y) => x.sort_order - y.sort_order).map(({ id }) => id);
    expect((await allCases(suite.id)).map(({ id }) => id)).toEqual(ids);

    const wanted = ids.toReversed();
    const answer = await client('POST', `/v1/suites/${suite.id}/cases/reorder`, { case_ids: wanted });
    expect(answer.body.data.map(({ id }: Placed) => id)).toEqual(wanted);
    expect(ordersOf(answer.body.data)).toEqual(places(205));

    const doomed = wanted.filter((_, index) => index >= 198 || index % 20 === 0);
    await Promise.all(doomed.map((id) => client('DELETE', `/v1/cases/${id}`)));
    const added = await makeCase(client, suite, scorer);
    const left = [...wanted.filter((id) => !doomed.includes(id)), added.id];
    const listed = await allCases(suite.id);
    expect(listed.map(({ id }) => id)).toEqual(left);
    expect(ordersOf(listed)).toEqual(places(left.length));
    expect(added.sort_order).toBe(left.length - 1);
  });
});
