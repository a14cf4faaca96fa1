import { expect, test } from '@jest/globals';
import { sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { describePages } from '../../support/pages.ts';

describePages('GET /v1/projects', async () => {
  const client = await signUp(sharedServiceUrl());
  return { client, path: '/v1/projects', create: () => makeProject(client), order: 'newest first' };
});

test("shows no other organisation's projects", async () => {
  const [client, stranger] = [await signUp(sharedServiceUrl()), await signUp(sharedServiceUrl())];
  await makeProject(stranger);
  expect((await client('GET', '/v1/projects')).body.data).toEqual([]);
});
