import { beforeAll, expect, test } from '@jest/globals';
import { type Api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { makeGate } from './gate.ts';

let client: Api;
const suiteIds = new Map<string, string>();
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
  for (const slug of ['bot-a', 'bot-b']) {
    const project = await makeProject(client, { slug });
    const suite = await makeSuite(client, project, { slug: 'answers' });
    const scorer = await makeScorer(client, project, { type: 'contains', config: { values: ['ok'] } });
    await makeCase(client, suite, scorer);
    suiteIds.set(slug, suite.id);
  }
});

const post = (body: object) => client('POST', '/v1/run', { output: 'ok', ...body });

test('a suite slug used in two projects is refused with 400 that names the projects', async () => {
  const answer = await post({ suite: 'answers' });
  expect(answer.status).toBe(400);
  expect(answer.body.error.code).toBe('VALIDATION_ERROR');
  const [issue] = answer.body.error.details.issues;
  expect(issue.path).toBe('project');
  expect(issue.message).toContain('bot-a');
  expect(issue.message).toContain('bot-b');
});

test.each(['bot-a', 'bot-b'])('project %s chooses its own suite', async (project) => {
  const answer = await post({ suite: 'answers', project });
  expect(answer.status).toBe(200);
  const stored = await client('GET', `/v1/runs/${answer.body.id}`);
  expect(stored.body.data.suite_id).toBe(suiteIds.get(project));
});

test.each([
  ['an unknown suite', { suite: 'no-such-suite' }],
  ['an unknown project', { suite: 'answers', project: 'no-such-project' }],
  ['a project that is no slug', { suite: 'answers', project: 'Bot A#' }],
  ['a suite that the project does not have', { suite: 'other', project: 'bot-a' }],
  ['the suite of another slug’s beginning', { suite: 'answer' }],
])('%s is 404', async (_what, body) => {
  const answer = await post(body);
  expect(answer.status).toBe(404);
  expect(answer.body.error).toMatchObject({ code: 'NOT_FOUND', message: expect.any(String) });
});

test.each([
  ['a key separator', 'a#b'],
  ['a key of the table', 'answers#'],
  ['5,000 characters', 'a'.repeat(5_000)],
  ['200 kB', 'a'.repeat(200_000)],
  ['unicode', 'antworten-ü😀'],
  ['upper case', 'ANSWERS'],
  ['a NUL', 'answers\u0000'],
  ['a line feed', 'answers\n'],
  ['a path', '../answers'],
  ['blanks', ' '],
  ['a name of Object', '__proto__'],
])('a suite slug with %s is 404', async (_what, suite) => {
  expect((await post({ suite })).status).toBe(404);
});

test('an ambiguous slug becomes clear when one of the projects is deleted', async () => {
  const own = await signUp(sharedServiceUrl());
  for (const slug of ['one', 'two']) {
    const project = await makeProject(own, { slug });
    const suite = await makeSuite(own, project, { slug: 'answers' });
    await makeCase(own, suite, await makeScorer(own, project), { expected: slug });
  }
  expect((await own('POST', '/v1/run', { suite: 'answers', output: 'two' })).status).toBe(400);
  await own('DELETE', '/v1/projects/one');
  for (let attempt = 0; attempt < 2; attempt++) {
    const answer = await own('POST', '/v1/run', { suite: 'answers', output: 'two' });
    expect([answer.status, answer.body.status]).toEqual([200, 'cleared']);
  }
});

test('the suite of another organisation does not exist', async () => {
  const other = await makeGate(sharedServiceUrl(), { slug: 'private-suite' });
  await other.add({});
  const unknown = await post({ suite: 'no-such-suite' });
  const foreign = await post({ suite: 'private-suite' });
  const foreignProject = await post({ suite: 'private-suite', project: other.project.slug });
  for (const answer of [foreign, foreignProject]) {
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual(unknown.body);
  }
});
