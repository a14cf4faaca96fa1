import { beforeEach, describe, expect, test } from '@jest/globals';
import { forkPullRequest, issueComment, pullRequest, REPOSITORY, workflowRun } from './payloads.ts';
import { type GateOfTest, type Job, useWorld } from './world.ts';

const world = useWorld();
let gate: GateOfTest;
beforeEach(async () => {
  gate = await world.gate();
});

const CONFIG = 'version: 1\nsuites: ["*.suite.yaml"]\n';
const SUITE = `version: 1
suite: bar
pass_threshold: 0.9
scorers: { has: { type: contains, config: { values: ["30 days"] } } }
cases:
  - { key: window, input: {}, scorer: has, expected: secret }
  - { key: tone, input: {}, scorer: has }
`;
const WEAKER = SUITE.replace('0.9', '0.5').replace('tone, input: {}', 'tone, input: {}, threshold: 0.1');

const step = (command: string, suite: string, { inputs, files, ...job }: Job = {}) =>
  gate.run({
    ...job,
    files: { 'evalgate.yaml': CONFIG, 'bar.suite.yaml': suite, ...files },
    inputs: { command, suite: '', 'output-file': '', ...inputs },
  });
const plan = (suite: string, job: Job = {}) =>
  step('plan', suite, { event: 'pull_request', payload: pullRequest(), ...job });
const trustPushes = () =>
  gate.client.trustedIssuers.create({
    repository: REPOSITORY.name,
    scope: 'suites',
    project: 'bot',
    ref: 'refs/heads/main',
    workflow: 'push.yml',
  });
let runId = 17_234_567_890;
const push = (suite: string, job: Job = {}) =>
  step('push', suite, {
    ...job,
    claims: {
      workflow_ref: `${REPOSITORY.name}/.github/workflows/push.yml@refs/heads/main`,
      run_id: String(++runId),
      ...job.claims,
    },
  });
const definition = async () => (await gate.client.definitions.get('bot', 'bar')).definition;
const comments = () => world.github.comments.get(2) ?? [];

describe('plan', () => {
  test('comments what a pull request changes of the bar, weaker lines first and bold, and changes nothing', async () => {
    await trustPushes();
    expect((await push(SUITE)).code).toBe(0);
    const planned = await plan(WEAKER);
    expect(planned).toMatchObject({ code: 0, stderr: '', outputs: { weaker: 'true', 'exit-code': '0' } });
    const changes = JSON.parse(planned.outputs.changes ?? '');
    expect(changes).toMatchObject([
      { suite: 'bar', applied: false, weaker: [{ kind: 'suite' }, { kind: 'case' }] },
    ]);
    const [{ body = '' } = { body: '' }, ...others] = comments();
    expect(others).toEqual([]);
    expect(planned.outputs['comment-url']).toMatch(/^https/);
    expect(body).toMatch(/^<!-- evalgate /);
    expect(body).toContain('⚠️ **The bar gets or may get weaker**: <code>bar</code>');
    expect(body).toMatch(/\n- \*\*weaker\*\*: \*\*`~` suite.*\n- \*\*weaker\*\*: \*\*`~` case/);
    expect(planned.summary).toContain('Plan of the suites');
    const warnings = planned.commands.filter(({ name }) => name === 'warning');
    expect(warnings.map(({ properties }) => [properties.file, properties.line])).toEqual([
      ['bar.suite.yaml', '1'],
      ['bar.suite.yaml', '7'],
    ]);
    expect((await definition()).pass_threshold).toBe(0.9);
    // The next plan says that all is as it was, in the same comment.
    expect((await plan(SUITE)).outputs).toMatchObject({ weaker: 'false' });
    expect(comments()).toHaveLength(1);
    expect(comments()[0]?.body).toContain('nothing to change');
  });

  test('comments that the pull request takes back what was edited by hand since the last push', async () => {
    await trustPushes();
    await push(SUITE);
    await gate.client.suites.update('bot', 'bar', { pass_threshold: 0.95 });
    await plan(SUITE);
    const [{ body = '' } = { body: '' }] = comments();
    expect(body).toContain('\n- **weaker**: **`!` suite  changed by hand since the last push: <code>');
  });

  test('that fails is reported with its place and in the comment of the plan, which the next plan overwrites', async () => {
    const wrong = await plan(SUITE.replace('pass_threshold', 'pass_treshold'));
    expect([wrong.code, comments().length]).toEqual([2, 1]);
    expect(comments()[0]?.body).toContain('**no plan**');
    expect(comments()[0]?.body).toContain('pass_treshold is not a field here');
    expect(wrong.commands.find(({ name }) => name === 'error')?.message).toContain(
      'bar.suite.yaml:3:1: error: pass_treshold is not a field here',
    );
    const forked = await plan(SUITE, { payload: forkPullRequest() });
    expect(forked).toMatchObject({ code: 0, outputs: { verdict: 'skipped', 'skip-reason': 'fork' } });
    await plan(SUITE, { env: { GITHUB_RUN_NUMBER: '43' } });
    expect(comments()).toHaveLength(1);
    expect(comments()[0]?.body).toContain('Plan of the suites');
  });

  test('warns of gates that no output passes in comment, summary and annotations, also with comment: problems', async () => {
    await trustPushes();
    await push(SUITE);
    const inputs = { comment: 'problems' };
    const planned = await plan(SUITE.replace('scorers', 'gates: { min_lower_bound: 0.9 }\nscorers'), {
      inputs,
    });
    expect(planned).toMatchObject({ code: 0, outputs: { weaker: 'false' } });
    for (const text of [planned.summary, comments()[0]?.body]) {
      expect(text).toMatch(/- ⚠️ <code>min&#95;lower&#95;bound<\/code>: <code>no output passes it.*35 cases/);
    }
    const warnings = planned.commands.filter(({ name }) => name === 'warning');
    expect(warnings).toMatchObject([
      { properties: { file: 'bar.suite.yaml', line: '1' }, message: expect.stringContaining('it takes 35') },
    ]);
  });

  test('without a change there is no comment, and a gate keeps one of its own', async () => {
    await trustPushes();
    await push(SUITE);
    await plan(SUITE);
    expect(comments()).toEqual([]);
    await plan(WEAKER);
    await gate.run({ event: 'pull_request', payload: pullRequest() });
    expect(comments()).toHaveLength(2);
  });

  test('shows no text of a public repository, and keys cannot write Markdown or commands', async () => {
    await trustPushes();
    const hostile = 'name: "@everyone ![x](https://x) </details>\\u202e"\n';
    const payload = pullRequest();
    payload.repository.private = false;
    const planned = await plan(SUITE.replace('pass_threshold', `${hostile}pass_threshold`), { payload });
    expect(planned.code).toBe(0);
    for (const text of [planned.summary, comments()[0]?.body ?? '', planned.stdout]) {
      expect(text).not.toMatch(/@everyone|secret|30 days|\u202e/);
    }
    const shown = await plan(SUITE.replace('pass_threshold', `${hostile}pass_threshold`));
    expect(comments()[0]?.body).not.toMatch(/@everyone|!\[x\]|<\/details>|\u202e/);
    expect(shown.code).toBe(0);
  });
});

describe('push', () => {
  test('puts suites in force with a token of scope suites, warns that the bar gets weaker, and again nothing changes', async () => {
    await trustPushes();
    const first = await push(SUITE);
    expect(first).toMatchObject({ code: 0, stderr: '', outputs: { weaker: 'false', 'exit-code': '0' } });
    expect((await definition()).cases).toHaveLength(2);
    const weaker = await push(WEAKER);
    expect(weaker).toMatchObject({ code: 0, outputs: { weaker: 'true' } });
    expect(weaker.summary).toMatch(/### Pushed suites\n\n⚠️ \*\*The bar gets or may get weaker\*\*/);
    expect((await definition()).pass_threshold).toBe(0.5);
    const again = await push(WEAKER);
    expect(again).toMatchObject({ code: 0, outputs: { weaker: 'false' } });
    expect(again.summary).toContain('nothing to change');
    const { last_push } = await gate.client.definitions.get('bot', 'bar');
    expect(last_push).toMatchObject({ by: { type: 'github_actions' }, source: { path: 'bar.suite.yaml' } });
  });

  test('with allow-weaker false a weaker bar fails the step, nothing is sent, and outputs and summary tell the plan', async () => {
    await trustPushes();
    await push(SUITE);
    const { code, outputs, commands, summary } = await push(WEAKER, { inputs: { 'allow-weaker': 'false' } });
    expect(code).toBe(2);
    expect(commands.find(({ name }) => name === 'error')?.message).toContain(
      'allow-weaker is false: nothing was pushed',
    );
    expect((await definition()).pass_threshold).toBe(0.9);
    expect(outputs).toMatchObject({ verdict: 'error', 'exit-code': '2', weaker: 'true' });
    expect(JSON.parse(outputs.changes ?? '')).toMatchObject([{ suite: 'bar', applied: false }]);
    expect(summary).toContain('**The bar gets or may get weaker**');
  });

  test('a push that the service refuses sets weaker and changes, and names the suites that were pushed before', async () => {
    await trustPushes();
    await push(SUITE);
    await gate.client.projects.update('bot', { weaker_pushes: 'full' });
    const first = SUITE.replace('suite: bar', 'suite: a-first').replaceAll('has', 'own');
    const { code, outputs, commands } = await push(WEAKER, { files: { 'a.suite.yaml': first } });
    expect(code).toBe(2);
    expect(commands.find(({ name }) => name === 'error')?.message).toMatch(/"full" only: .*\.$/);
    expect(outputs.weaker).toBe('true');
    expect(JSON.parse(outputs.changes ?? '')).toMatchObject([
      { suite: 'a-first', applied: true },
      { suite: 'bar', applied: false, weaker: [{ kind: 'suite' }, { kind: 'case' }] },
    ]);
  });

  test('without a registration a job is refused with the command that makes one, and an older job than the last that pushed too', async () => {
    const { code, outputs, commands } = await push(SUITE);
    expect([code, outputs.weaker]).toEqual([2, undefined]);
    const { message } = commands.find(({ name }) => name === 'error') ?? { message: '' };
    expect(message).toContain('whose file is compared: .github/workflows/push.yml');
    expect(message).toContain(
      `evalgate trust ${REPOSITORY.name} --scope suites --ref refs/heads/main --workflow push.yml --project bot`,
    );
    await expect(definition()).rejects.toMatchObject({ status: 404 });
    await trustPushes();
    await push(SUITE);
    expect((await push(WEAKER, { claims: { run_id: '5' } })).code).toBe(2);
    expect((await definition()).pass_threshold).toBe(0.9);
  });

  test.each([
    ['pull_request', pullRequest],
    ['pull_request_target', pullRequest],
    ['issue_comment', issueComment],
    ['workflow_run', workflowRun],
  ])('refuses jobs of %s by itself, whatever credential they have', async (event, payload) => {
    const { code, commands } = await push(SUITE, {
      event,
      payload: payload(),
      inputs: { 'api-key': gate.apiKey },
    });
    expect(code).toBe(2);
    expect(commands.find(({ name }) => name === 'error')?.message).toContain(
      `Command push refuses jobs of ${event}`,
    );
    await expect(definition()).rejects.toMatchObject({ status: 404 });
  });

  test('prune deletes cases that no file has', async () => {
    await trustPushes();
    await push(SUITE);
    await push(SUITE.replace(/ {2}- \{ key: tone.*\n/, ''), { inputs: { prune: 'true' } });
    expect((await definition()).cases.map(({ key }) => key)).toEqual(['window']);
  });
});
