import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { expectData, expectNotFound } from '../../support/expectations.ts';
import { describePages } from '../../support/pages.ts';

let client: Api;
// biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
let [project, suite, scorer]: any[] = [];
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
  project = await makeProject(client);
  [suite, scorer] = [await makeSuite(client, project), await makeScorer(client, project)];
});

describe('GET /v1/cases/:caseId', () => {
  test('answers the case, by an id in any case of letters', async () => {
    const evalCase = await makeCase(client, suite, scorer, { expected: 'x', weight: 3 });
    expectData(await client('GET', `/v1/cases/${evalCase.id}`), 200, evalCase);
    expectData(await client('GET', `/v1/cases/${evalCase.id.toUpperCase()}`), 200, evalCase);
  });

  test('knows cases only, not suites or scorers', async () => {
    for (const id of [suite.id, scorer.id, project.id, randomUUID()]) {
      expectNotFound(await client('GET', `/v1/cases/${id}`));
    }
  });
});

describePages('GET /v1/suites/:suiteId/cases', async () => {
  const own = await makeSuite(client, project);
  await makeCase(client, suite, scorer);
  return {
    client,
    path: `/v1/suites/${own.id}/cases`,
    create: () => makeCase(client, own, scorer),
    order: 'oldest first',
  };
});

test('GET /v1/suites/:suiteId/cases shows inactive cases too, and takes the id in any case of letters', async () => {
  const own = await makeSuite(client, project);
  const made = [
    await makeCase(client, own, scorer),
    await makeCase(client, own, scorer, { is_active: false }),
  ];
  expect((await client('GET', `/v1/suites/${own.id.toUpperCase()}/cases`)).body.data).toEqual(made);
});
