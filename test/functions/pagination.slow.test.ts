import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Api, sharedServiceUrl, signUp } from '../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../support/builders.ts';

// biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
type Resource = any;

interface List {
  readonly path: string;
  readonly create: () => Promise<Resource>;
  readonly remove: (resource: Resource) => string;
  /** Oldest first, with a place; the others are newest first. */
  readonly ordered?: boolean;
}

let client: Api;
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
});

/** Which one to delete is a number that is taken modulo the length; a move turns the list by so many places. */
type Step = { create: number } | { remove: number } | { move: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ create: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ remove: fc.nat(1_000) }) },
  { weight: 1, arbitrary: fc.record({ move: fc.nat(1_000) }) },
);

async function pagesOf(path: string, pageSize: number): Promise<Resource[]> {
  const all: Resource[] = [];
  for (let page = 1; ; page++) {
    const { body } = await client('GET', `${path}?page=${page}&pageSize=${pageSize}`);
    all.push(...body.data);
    const { total } = body.pagination;
    expect(body.pagination).toEqual({ page, pageSize, total, hasMore: page * pageSize < total });
    if (body.pagination.hasMore) expect(body.data).toHaveLength(pageSize);
    else {
      expect(all).toHaveLength(total);
      return all;
    }
  }
}

const inPlace = (list: List, model: readonly Resource[]): Resource[] =>
  list.ordered ? model.map((each, sort_order) => ({ ...each, sort_order })) : model.toReversed();

/** `model` holds what there should be, oldest first or in its order. */
async function apply(list: List, model: Resource[], wanted: Step): Promise<void> {
  if ('create' in wanted) {
    for (let count = 0; count < wanted.create; count++) model.push(await list.create());
  } else if (model.length === 0) {
    return;
  } else if ('remove' in wanted) {
    const [gone] = model.splice(wanted.remove % model.length, 1);
    expect((await client('DELETE', list.remove(gone))).status).toBe(204);
  } else if (list.ordered) {
    model.push(...model.splice(0, wanted.move % model.length));
    const case_ids = model.map(({ id }) => id);
    expect((await client('POST', `${list.path}/reorder`, { case_ids })).status).toBe(200);
  }
}

function describeList(title: string, makeList: () => Promise<List>): void {
  test(`${title}: after any changes the pages together are the list, in order, with exact totals`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 7 }),
        async (steps, pageSize) => {
          const list = await makeList();
          const model: Resource[] = [];
          for (const wanted of steps) await apply(list, model, wanted);
          for (const size of [pageSize, 100]) {
            expect(await pagesOf(list.path, size)).toEqual(inPlace(list, model));
          }
        },
      ),
      { numRuns: 6 },
    );
  });
}

describe('a list that pages', () => {
  let project: Resource;
  let scorer: Resource;
  beforeAll(async () => {
    project = await makeProject(client);
    scorer = await makeScorer(client, project);
  });
  describeList('suites', async () => {
    const { slug } = await makeProject(client);
    const path = `/v1/projects/${slug}/suites`;
    return { path, create: () => makeSuite(client, { slug }), remove: (suite) => `${path}/${suite.slug}` };
  });

  describeList('scorers', async () => {
    const { slug } = await makeProject(client);
    return {
      path: `/v1/projects/${slug}/scorers`,
      create: () => makeScorer(client, { slug }),
      remove: ({ id }) => `/v1/scorers/${id}`,
    };
  });

  describeList('cases', async () => {
    const suite = await makeSuite(client, project);
    return {
      path: `/v1/suites/${suite.id}/cases`,
      create: () => makeCase(client, suite, scorer),
      remove: ({ id }) => `/v1/cases/${id}`,
      ordered: true,
    };
  });
});

describe('the list of all projects', () => {
  test('pages by the same rules while projects come and go', async () => {
    const stranger = client;
    client = await signUp(sharedServiceUrl());
    const list: List = {
      path: '/v1/projects',
      create: () => makeProject(client),
      remove: ({ slug }) => `/v1/projects/${slug}`,
    };
    const model: Resource[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        for (const wanted of steps) await apply(list, model, wanted);
        for (const size of [3, 100]) expect(await pagesOf(list.path, size)).toEqual(model.toReversed());
      }),
      // One list that goes on: a shrunk sequence would start from another state.
      { numRuns: 5, endOnFailure: true },
    );
    client = stranger;
  });
});
