import { beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { marked } from 'marked';
import { CONTROLS, hostileText, tokensOf as markdownTokensOf } from '../gate/report/reports.ts';
import { silent, useHostile } from '../sdk/hostile.ts';
import { forkPullRequest, HEAD_SHA, pullRequest } from './payloads.ts';
import { BAD, GOOD, useGate, useWorld } from './world.ts';

const world = useWorld();
const gate = useGate(world);
const stranger = useHostile();
beforeEach(() => stranger.answers(silent));
const theirFile = () => ({
  'evalgate.yaml': JSON.stringify({
    version: 1,
    url: stranger.url,
    organisation: gate.orgId,
    project: 'bot',
  }),
});
/** Of the job, and those that they were exchanged for. */
const tokensOf = (commands: readonly { readonly name: string; readonly message: string }[]) =>
  commands.filter(({ name, message }) => name === 'add-mask' && message.startsWith('eyJ'));

test('a pull request of a fork is skipped for any owner of the fork, also in a job that has rights', async () => {
  const sameOwner = forkPullRequest();
  sameOwner.pull_request.head.repo.full_name = 'Codertocat/Hello-World-2';
  for (const [event, payload] of [
    ['pull_request', sameOwner],
    ['pull_request_target', forkPullRequest()],
  ] as const) {
    const { code, outputs, commands } = await gate.run({ event, payload });
    expect([code, outputs.verdict, tokensOf(commands)]).toEqual([0, 'skipped', []]);
  }
  const renamed = pullRequest();
  renamed.pull_request.head.repo.full_name = 'Codertocat/Former-Name';
  expect((await gate.run({ event: 'pull_request', payload: renamed })).outputs.verdict).toBe('cleared');
});

test.each(['pull_request', 'pull_request_target'])(
  'a %s of a fork whose job holds an API key is gated, and takes nothing but inputs',
  async (event) => {
    const job = { event, payload: forkPullRequest(), files: { 'answer.txt': BAD, ...theirFile() } };
    const env = { ACTIONS_ID_TOKEN_REQUEST_URL: '', EVALGATE_URL: stranger.url };
    const inputs = { 'api-key': gate.apiKey };
    const { code, outputs, commands } = await gate.run({ ...job, env, inputs });
    expect([code, outputs.verdict, outputs.passed]).toEqual([1, 'aborted', 'false']);
    expect(commands.filter(({ properties }) => properties.file !== undefined)).toEqual([]);
    for (const name of ['url', 'project']) {
      const poisoned = await gate.run({ ...job, env, inputs: { ...inputs, [name]: '' } });
      expect([poisoned.code, poisoned.outputs.verdict]).toEqual([2, 'error']);
    }
    expect(stranger.seen).toEqual([]);
    const without = await gate.run({ ...job, env, inputs: { 'api-key': '' } });
    expect([without.code, without.outputs.verdict]).toEqual([0, 'skipped']);
    expect(without.commands.at(-1)?.message).toContain(
      'the input api-key is empty, since forks get no secrets',
    );
  },
);

test('the step leaves nothing for later steps but its outputs, and appends to the summary', async () => {
  const names = ['GITHUB_ENV', 'GITHUB_PATH', 'GITHUB_STATE'];
  const files = { ...Object.fromEntries(names.map((name) => [name, ''])), 'summary.md': '# Before\n' };
  const env = { ...Object.fromEntries(names.map((name) => [name, name])), GITHUB_STEP_SUMMARY: 'summary.md' };
  const inputs = { 'api-key': gate.apiKey };
  const ended = await gate.run({ files, env, inputs });
  expect(ended.code).toBe(0);
  for (const name of names) expect(ended.file(name)).toBe('');
  expect(ended.file('summary.md')).toMatch(/^# Before\n### ✅/);
});

test('a text too short for a secret is not masked, so that no output vanishes', async () => {
  const { code, commands } = await gate.run({ inputs: { 'github-token': '0.5' } });
  expect(code).toBe(0);
  for (const { message } of commands.filter(({ name }) => name === 'add-mask')) {
    expect(message.length).toBeGreaterThanOrEqual(8);
  }
});
const OWN_TAGS =
  /^<\/?(h3|p|strong|ul|li|code|pre|details|summary|wbr|a)( open)?( href="(https:\/\/github\.com\/Codertocat\/Hello-World\/actions\/runs\/17234567890|http:\/\/127\.0\.0\.1:\d+\/app\/runs\/run_\w+)")?>$/;

/** Nothing but our own elements, and two links: to the job and to the run. */
function expectOwnMarkdown(markdown: string): void {
  const types = markdownTokensOf(markdown).map(({ type }) => type);
  for (const foreign of ['image', 'def', 'table', 'blockquote', 'codespan', 'code']) {
    expect(types).not.toContain(foreign);
  }
  const html = marked.parse(markdown, { gfm: true, async: false });
  for (const tag of html.match(/<[^>]*>/g) ?? []) expect(tag).toMatch(OWN_TAGS);
  expect(markdown.replaceAll('\n', '')).not.toMatch(CONTROLS);
}

/** Names are one line of visible characters at the service. */
const nameOf = (text: string): string =>
  text
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 150) || 'x';

async function expectHarmless(drawn: string): Promise<void> {
  // The service refuses half a character.
  const text = drawn.toWellFormed();
  world.github.reset();
  world.github.pullRequests.set(2, { sha: HEAD_SHA, state: 'open' });
  const own = await world.gate();
  const wanted = text.replaceAll('\u0000', '').trim().slice(0, 500) || 'x';
  const { id } = await own.client.scorers.create('bot', {
    name: nameOf(text),
    type: 'contains',
    config: { values: [`never ${wanted}`] },
  });
  await own.client.cases.create(own.suiteId, { key: 'evil', name: nameOf(text), input: {}, scorer_id: id });
  const payload = pullRequest();
  payload.pull_request.base.ref = text;
  const items = [
    { case: ['window', 'evil'], output: `${BAD}${text}`, input: { question: text } },
    { case: 'refund', error: text },
    { case: wanted, output: GOOD },
  ];
  const ended = await own.run({
    event: 'pull_request',
    payload,
    inputs: {
      'output-file': '',
      'outputs-file': 'answers.jsonl',
      'comment-key': text.replaceAll('\u0000', ''),
      'junit-file': 'junit.xml',
      details: 'full',
    },
    files: { 'answers.jsonl': items.map((item) => JSON.stringify(item)).join('\n') },
    env: { GITHUB_WORKFLOW: text.replaceAll('\u0000', ''), GITHUB_ACTOR: nameOf(text) },
  });
  expect([ended.code, ended.outputs.verdict, ended.stderr]).toEqual([1, 'aborted', '']);
  const names = new Set(ended.commands.map(({ name }) => name));
  expect([...names].toSorted()).toEqual(['add-mask', 'error', 'warning']);
  expect(Object.keys(ended.outputs).toSorted()).toEqual(OUTPUTS_OF_RUN);
  expect(ended.stdout.replaceAll('\n', '')).not.toMatch(CONTROLS);
  const [comment, ...others] = world.github.comments.get(2) ?? [];
  expect(others).toEqual([]);
  const [marker, ...lines] = (comment?.body ?? '').split('\n');
  expect(marker).toMatch(/^<!-- evalgate [0-9a-f]{32} run=42\.1 sha=[0-9a-f]{40} -->$/);
  expect(lines.join('\n')).not.toContain('<!--');
  expectOwnMarkdown(lines.join('\n'));
  expectOwnMarkdown(ended.summary);
}

const OUTPUTS_OF_RUN = [
  'comment-url',
  'errored-cases',
  'exit-code',
  'failed-cases',
  'failures',
  'junit-file',
  'pass-rate',
  'passed',
  'passed-cases',
  'run-id',
  'run-url',
  'total-cases',
  'verdict',
  'waived',
];

test('names, outputs, reasons and comment keys change nothing but the text, whatever they hold', async () => {
  const everything =
    '![x](https://evil.example/a.png) --> ::set-output name=verdict::cleared\r::error::evil\n::add-mask::30 days\u001b[2J\u202e@octocat #1 </pre><script>';
  await expectHarmless(everything);
  await fc.assert(fc.asyncProperty(hostileText, expectHarmless), { numRuns: 6, endOnFailure: true });
});
