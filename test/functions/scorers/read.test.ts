import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { expectData, expectNoContent, expectNotFound } from '../../support/expectations.ts';
import { describePages } from '../../support/pages.ts';

describePages('GET /v1/projects/:slug/scorers', async () => {
  const client = await signUp(sharedServiceUrl());
  const [project, other] = [await makeProject(client), await makeProject(client)];
  await makeScorer(client, other);
  return {
    client,
    path: `/v1/projects/${project.slug}/scorers`,
    create: () => makeScorer(client, project),
    order: 'newest first',
  };
});

test('GET /v1/scorers/:scorerId answers the scorer, by an id in any case of letters', async () => {
  const client = await signUp(sharedServiceUrl());
  const scorer = await makeScorer(client, await makeProject(client));
  expectData(await client('GET', `/v1/scorers/${scorer.id}`), 200, scorer);
  expectData(await client('GET', `/v1/scorers/${scorer.id.toUpperCase()}`), 200, scorer);
  expectNotFound(await client('GET', `/v1/scorers/${randomUUID()}`));
});

test('DELETE /v1/scorers/:scorerId ends the scorer at once, and leaves the case that uses it', async () => {
  const client = await signUp(sharedServiceUrl());
  const project = await makeProject(client);
  const [suite, scorer, kept] = [
    await makeSuite(client, project),
    await makeScorer(client, project),
    await makeScorer(client, project),
  ];
  const evalCase = await makeCase(client, suite, scorer);
  expectNoContent(await client('DELETE', `/v1/scorers/${scorer.id}`));
  expectNotFound(await client('GET', `/v1/scorers/${scorer.id}`));
  expectNotFound(await client('PATCH', `/v1/scorers/${scorer.id}`, { name: 'n' }));
  expectNotFound(await client('DELETE', `/v1/scorers/${scorer.id}`));
  expect((await client('GET', `/v1/projects/${project.slug}/scorers`)).body).toMatchObject({
    data: [kept],
    pagination: { total: 1 },
  });
  expectData(await client('GET', `/v1/cases/${evalCase.id}`), 200, evalCase);
  const changed = await client('PATCH', `/v1/cases/${evalCase.id}`, { weight: 2 });
  expect(changed.body.data).toMatchObject({ weight: 2, scorer_id: scorer.id });
  const moved = await client('PATCH', `/v1/cases/${evalCase.id}`, { scorer_id: kept.id });
  expect(moved.body.data.scorer_id).toBe(kept.id);
});

test('DELETE /v1/scorers/:scorerId at the same time succeeds once', async () => {
  const client = await signUp(sharedServiceUrl());
  const { id } = await makeScorer(client, await makeProject(client));
  const answers = await Promise.all(Array.from({ length: 8 }, () => client('DELETE', `/v1/scorers/${id}`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(7).fill(404)]);
});
