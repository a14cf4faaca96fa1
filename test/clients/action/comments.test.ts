import type { ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { ownTime } from '../sdk/hostile.ts';
import { forbidden, JOB_LOGIN, secondaryLimit } from './githubStandIn.ts';
import type { WireComment } from './githubWire.ts';
import {
  forkPullRequest,
  HEAD_SHA,
  mergeGroup,
  orphanPullRequest,
  type Payload,
  pullRequest,
  push,
  schedule,
  workflowRun,
} from './payloads.ts';
import { BAD, type Job, useGate, useWorld } from './world.ts';

const world = useWorld();
const gate = useGate(world);

const onPullRequest = (job: Job = {}) => gate.run({ event: 'pull_request', payload: pullRequest(), ...job });
const comments = (number = 2): WireComment[] => world.github.comments.get(number) ?? [];
const requests = () => world.github.seen.map(({ method, path }) => `${method} ${path}`);
const bad = { files: { 'answer.txt': BAD } };
const attempt = (number: number, run = 42) => ({
  GITHUB_RUN_NUMBER: String(run),
  GITHUB_RUN_ATTEMPT: String(number),
});

test('a pull request gets one comment, which later runs change', async () => {
  const first = await onPullRequest(bad);
  expect(comments()).toHaveLength(1);
  expect(first.outputs['comment-url']).toBe(comments()[0]?.html_url);
  expect(comments()[0]?.body).toContain('aborted by');
  expect(comments()[0]?.body).toContain(`[See the run](<${first.outputs['run-url']}>)`);
  expect(comments()[0]?.body.split('\n')[0]).toMatch(
    new RegExp(`^<!-- evalgate [0-9a-f]{32} run=42.1 sha=${HEAD_SHA} -->$`),
  );
  const second = await onPullRequest({ env: attempt(1, 43) });
  expect(comments()).toHaveLength(1);
  expect(comments()[0]?.body).toContain('cleared');
  expect(second.outputs['comment-url']).toBe(first.outputs['comment-url']);
});

test('the usual case takes one request to find the comment, and one to write it; a person’s token finds that person’s', async () => {
  await onPullRequest();
  world.github.seen.length = 0;
  await onPullRequest({ env: attempt(2) });
  expect(requests()).toEqual([
    'GET /repos/Codertocat/Hello-World/issues/2/comments?per_page=100&page=1',
    expect.stringMatching(/^PATCH /),
  ]);
  world.github.login = 'octocat';
  const inputs = { 'github-token': 'github_pat_of-octocat' };
  for (const number of [3, 4]) await onPullRequest({ inputs, env: attempt(number) });
  expect(comments().map(({ body }) => /run=[\d.]+/.exec(body)?.[0])).toEqual(['run=42.2', 'run=42.4']);
});

test('among 250 comments the own one is found on any page, from the last page on', async () => {
  const fill = (count: number) => {
    for (let index = 0; index < count; index++) world.github.add(2, `comment ${index}`, 'octocat');
  };
  fill(20);
  await onPullRequest();
  fill(229);
  expect(comments()).toHaveLength(250);
  await onPullRequest({ env: attempt(2) });
  expect(comments()).toHaveLength(250);
  expect(comments()[20]?.body).toContain('run=42.2');
  const [own] = comments().splice(20, 1);
  comments().push(own as WireComment);
  world.github.seen.length = 0;
  await onPullRequest({ env: attempt(3) });
  expect(comments()).toHaveLength(250);
  expect(requests().filter((request) => request.startsWith('GET'))).toHaveLength(2);
});

test('a comment of another author that carries the marker is left alone', async () => {
  await onPullRequest(bad);
  const marker = comments()[0]?.body ?? '';
  world.github.comments.clear();
  const forged = world.github.add(2, marker.replace(/run=\d+/, 'run=999999'), 'mallory');
  const reply = world.github.add(2, `> ${marker}`, JOB_LOGIN);
  const before = [forged.body, reply.body];
  await onPullRequest();
  expect(comments()).toHaveLength(3);
  expect([forged.body, reply.body]).toEqual(before);
  expect(comments()[2]).toMatchObject({
    user: { login: JOB_LOGIN },
    body: expect.stringContaining('cleared'),
  });
});

test('an older run that ends later changes nothing', async () => {
  await onPullRequest({ env: attempt(2, 43) });
  const before = comments()[0]?.body;
  for (const env of [attempt(1, 42), attempt(1, 43), attempt(9, 42)]) {
    const { code, outputs } = await onPullRequest({ ...bad, env });
    expect([code, outputs['comment-url']]).toEqual([1, undefined]);
  }
  expect(comments().map(({ body }) => body)).toEqual([before]);
});

test('a comment-key gives jobs of a matrix a comment each', async () => {
  for (const key of ['small', 'large', 'small -->']) await onPullRequest({ inputs: { 'comment-key': key } });
  await onPullRequest({ inputs: { 'comment-key': 'large' }, env: attempt(2) });
  expect(comments()).toHaveLength(3);
});

test('with problems there is no comment where all is well, unless there is one already; with never there is none', async () => {
  await onPullRequest({ inputs: { comment: 'problems' } });
  expect(comments()).toHaveLength(0);
  await onPullRequest({ ...bad, inputs: { comment: 'problems' } });
  expect(comments()).toHaveLength(1);
  await onPullRequest({ inputs: { comment: 'problems' }, env: attempt(2) });
  expect(comments()[0]?.body).toContain('cleared');
  const before = requests().length;
  await onPullRequest({ ...bad, inputs: { comment: 'never' }, env: attempt(3) });
  expect(requests()).toHaveLength(before);
});

test('a comment in a public repository shows keys, scores and codes, and reasons only with details: full', async () => {
  const payload = pullRequest();
  payload.repository.private = false;
  const shut = await onPullRequest({ ...bad, payload });
  const texts = [comments()[0]?.body, shut.summary, shut.stdout].join('\n');
  expect(texts).toContain('window');
  expect(texts).toContain('0.00');
  expect(texts).not.toContain('30 days');
  const line = JSON.stringify({ case: 'window', error: 'words of the program' });
  const outputs = { 'output-file': '', 'outputs-file': 'answers.jsonl' };
  const errored = await onPullRequest({ payload, inputs: outputs, files: { 'answers.jsonl': line } });
  for (const text of [comments()[0]?.body, errored.summary, errored.stdout]) {
    expect(text).toContain('could not be judged: OUTPUT_ERROR');
    expect(text).not.toContain('words of the program');
  }
  const open = await onPullRequest({ ...bad, payload, inputs: { details: 'full' }, env: attempt(2) });
  for (const text of [comments()[0]?.body, open.summary, open.stdout]) expect(text).toContain('30 days');
});

test.each(['GET', 'POST', 'PATCH'])(
  'a token that may not %s leaves the verdict as it is',
  async (refused) => {
    if (refused === 'PATCH') await onPullRequest();
    world.github.interfere = ({ method }, response) => {
      if (method !== refused) return false;
      forbidden(response);
      return true;
    };
    for (const [job, expected] of [
      [{ env: attempt(2) }, 0],
      [{ ...bad, env: attempt(2) }, 1],
    ] as const) {
      const { code, commands } = await onPullRequest(job);
      expect(code).toBe(expected);
      const notice = commands.findLast(({ name }) => name === 'notice');
      expect(notice?.message).toContain('pull-requests: write');
    }
  },
);

test('a refusal of GitHub that no permission lifts is quoted as it is', async () => {
  const sentence = 'Unable to create comment because issue is locked.';
  world.github.interfere = ({ method }, response) => {
    if (method !== 'POST') return false;
    answering(403, 'application/json', JSON.stringify({ message: sentence }))(response, 1, ownTime());
    return true;
  };
  const { code, commands } = await onPullRequest(bad);
  const notice = commands.findLast(({ name }) => name === 'notice')?.message;
  expect([code, notice]).toEqual([1, expect.stringContaining(sentence)]);
  expect(notice).not.toContain('permissions');
});

test('a secondary rate limit is waited for', async () => {
  let refused = 0;
  world.github.interfere = ({ method }, response) => {
    if (method !== 'POST' || refused++ > 0) return false;
    secondaryLimit(response, 1);
    return true;
  };
  const { code } = await onPullRequest();
  expect([code, refused, comments().length]).toEqual([0, 2, 1]);
});

type Answer = (response: ServerResponse, nth: number, time: ReturnType<typeof ownTime>) => void;
const answering =
  (status: number, type: string, body: string): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': type }).end(body);
const silence: Answer = (_, __, time) => time.expire();

test.each<readonly [title: string, answer: Answer, reason: string]>([
  [
    'asks for more time than reports have',
    (response) => secondaryLimit(response, 3_600),
    '60 s for reports are over.',
  ],
  [
    'asks for time and then does not answer until that of reports is over',
    (response, nth, time) => (nth === 1 ? secondaryLimit(response, 48) : silence(response, nth, time)),
    '60 s for reports are over.',
  ],
  ['says nothing', silence, 'GitHub: No answer within 15 s.'],
  ['answers 502 by a page', answering(502, 'text/html', '<html>Unicorn!</html>'), 'GitHub answered HTTP 502'],
  [
    'answers something else',
    answering(200, 'application/json; charset=utf-8', '{}'),
    'GitHub answered in a form that is not known',
  ],
  ['hangs up', (response) => response.destroy(), 'The connection to 127.0.0.1:'],
])('a GitHub that %s leaves the verdict as it is, and is named', async (_, answer, reason) => {
  const time = ownTime();
  let requested = 0;
  world.github.interfere = (__, response) => {
    answer(response, ++requested, time);
    return true;
  };
  const ended = await onPullRequest({ ...bad, clock: time.environment });
  expect(ended).toMatchObject({ code: 1, outputs: { verdict: 'aborted' }, stderr: '' });
  expect(ended.summary).toContain('aborted by');
  const notice = ended.commands.findLast(({ name }) => name === 'notice')?.message;
  expect(notice).toContain(`The comment could not be written: ${reason}`);
  expect(notice).not.toContain('not from evalgate');
});

test.each([
  ['of another repository', forkPullRequest],
  ['of a repository that is gone', orphanPullRequest],
])('a pull request %s is skipped, with a comment that the gate did not run', async (_, payload) => {
  const before = await gate.runCount();
  const job = { event: 'pull_request', payload: payload() };
  const { code, outputs, summary, commands } = await gate.run(job);
  expect(code).toBe(0);
  expect(outputs).toEqual({ verdict: 'skipped', passed: 'false', 'exit-code': '0', 'skip-reason': 'fork' });
  expect(summary).toContain('did not run');
  expect(commands.find(({ name }) => name === 'notice')?.message).toContain('did not run');
  const shut = await gate.run({ ...job, inputs: { 'on-fork': 'fail' } });
  expect([shut.code, shut.outputs.verdict]).toEqual([3, 'skipped']);
  expect([await gate.runCount(), world.github.seen]).toEqual([before, []]);
});

test.each([
  ['the number that its artifact brought', '2'],
  ['the head of the run that it follows', ''],
])('a job of workflow_run comments on the pull request of a fork, by %s', async (_, number) => {
  const inputs = { 'pr-number': number };
  const { code, outputs } = await gate.run({ event: 'workflow_run', payload: workflowRun(), inputs });
  expect([code, comments().length]).toEqual([0, 1]);
  const run = await gate.client.runs.get(outputs['run-id'] ?? '');
  expect(run.trigger_meta).toMatchObject({ sha: HEAD_SHA, event: 'workflow_run' });
});

test('a number whose pull request has another head gets no comment, and the verdict stays', async () => {
  world.github.pullRequests.set(3, { sha: 'f'.repeat(40), state: 'open' });
  const inputs = { 'pr-number': '3' };
  const job = { event: 'workflow_run', payload: workflowRun(), inputs };
  const { code, commands, summary } = await gate.run(job);
  expect([code, world.github.comments.size]).toEqual([0, 0]);
  expect(summary).toContain('cleared');
  expect(commands.findLast(({ name }) => name === 'notice')?.message).toContain('pull request 3');
});

const PUSHED_SHA = '7d444840a9c1f0b6a3b8f5f8f0f4c4a2d0c7e1ab';
test.each<[string, string, Payload, number]>([
  ['push', 'open', push(), 1],
  ['push', 'closed', push(), 0],
  ['merge_group', 'open', mergeGroup(), 0],
  ['workflow_dispatch', 'open', schedule(), 0],
])(
  'a job of %s, where the pull request of its commit is %s, judges and writes as many comments as it should',
  async (event, state, payload, count) => {
    world.github.pullRequests.set(2, { sha: PUSHED_SHA, state });
    const { code, outputs, stderr } = await gate.run({ event, payload });
    expect({ code, verdict: outputs.verdict, stderr }).toEqual({ code: 0, verdict: 'cleared', stderr: '' });
    expect(comments()).toHaveLength(count);
  },
);

test('no names, however hostile, make a comment too long for GitHub or a summary too long for the runner', async () => {
  const own = await world.gate();
  const { data } = await own.client.scorers.list('bot').page();
  for (let index = 0; index < 120; index++) {
    const name = `${index} ${'<@|]'.repeat(40)}`;
    await own.client.cases.create(own.suiteId, {
      name,
      key: `k${index}`,
      input: {},
      scorer_id: data[0]!.id,
      must_pass: true,
    });
  }
  const { code, summary } = await own.run({ ...bad, event: 'pull_request', payload: pullRequest() });
  expect(code).toBe(1);
  expect(comments()).toHaveLength(1);
  expect(comments()[0]!.body.length).toBeLessThanOrEqual(60_200);
  expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(900_000);
});
