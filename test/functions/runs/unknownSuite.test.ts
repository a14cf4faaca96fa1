import { beforeAll, expect, test } from '@jest/globals';
import { type Api, api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeProject, makeSuite } from '../../support/builders.ts';

const url = sharedServiceUrl();
let all: Api;
let boundToBot: Api;

beforeAll(async () => {
  all = await signUp(url);
  for (const [slug, suites] of [
    ['bot', ['returns', 'letters']],
    ['search', ['ranking']],
  ] as const) {
    const project = await makeProject(all, { slug });
    for (const suite of suites) await makeSuite(all, project, { slug: suite });
  }
  const { body } = await all('POST', '/v1/api-keys', { name: 'CI', scope: 'run', project: 'bot' });
  boundToBot = api(url, body.data.key);
});

async function suggested(client: Api, body: object): Promise<string[]> {
  const answer = await client('POST', '/v1/run', { output: 'ok', ...body });
  const { code, message, details } = answer.body.error;
  expect([answer.status, code, message]).toEqual([404, 'NOT_FOUND', 'No such suite.']);
  return details.suites;
}

test('an unknown suite is answered with the suites that the credential may run', async () => {
  expect(await suggested(all, { suite: 'return' })).toEqual(['letters', 'ranking', 'returns']);
  expect(await suggested(boundToBot, { suite: 'return' })).toEqual(['letters', 'returns']);
});

test('with a project that it may use, those of the project', async () => {
  expect(await suggested(all, { suite: 'return', project: 'search' })).toEqual(['ranking']);
  expect(await suggested(boundToBot, { suite: 'return', project: 'bot' })).toEqual(['letters', 'returns']);
});

test('the answer lists nothing of a project that the credential may not use', async () => {
  for (const project of ['search', 'no-such', 'no slug', 'x'.repeat(5_000)]) {
    expect(await suggested(boundToBot, { suite: 'ranking', project })).toEqual(['letters', 'returns']);
  }
});

test('a new organisation has none, and one with many gets 20', async () => {
  const own = await signUp(url);
  expect(await suggested(own, { suite: 'return' })).toEqual([]);
  const project = await makeProject(own);
  for (let number = 0; number < 21; number++) await makeSuite(own, project, { slug: `suite-${number}` });
  const slugs = await suggested(own, { suite: 'return' });
  expect(slugs).toHaveLength(20);
  expect(slugs).not.toContain('suite-0');
});

test('suites of deleted projects are named no more', async () => {
  const own = await signUp(url);
  const { slug } = await makeProject(own);
  await makeSuite(own, { slug }, { slug: 'gone' });
  expect(await suggested(own, { suite: 'return' })).toEqual(['gone']);
  await own('DELETE', `/v1/projects/${slug}`);
  expect(await suggested(own, { suite: 'return' })).toEqual([]);
});
