import { beforeEach, expect, test } from '@jest/globals';
import { forkPullRequest, pullRequest, REPOSITORY, workflowRun } from './payloads.ts';
import { BAD, type GateOfTest, GOOD, type Job, useWorld } from './world.ts';

const world = useWorld();
let gate: GateOfTest;
beforeEach(async () => {
  gate = await world.gate();
});

const HOSTILE = 'Requested: </code>**@octocat** \u202e\n::error::x';
const EXPIRES = () => new Date(Date.now() + 3_600_000).toISOString();
const waive = (runId: string) =>
  gate.client.waivers.create(runId, { reason: HOSTILE, expires_at: EXPIRES() });
const attempt = (number: number) => ({ env: { GITHUB_RUN_ATTEMPT: String(number) } });
const answering = (...bad: string[]) => ({
  inputs: { 'output-file': '', 'outputs-file': 'answers.jsonl' },
  files: {
    'answers.jsonl': ['window', 'refund', 'letter']
      .map((key) => JSON.stringify({ case: key, output: bad.includes(key) ? BAD : GOOD }))
      .join('\n'),
  },
});
const trustReleases = () =>
  gate.client.trustedIssuers.create({
    repository: REPOSITORY.name,
    scope: 'suites',
    project: 'bot',
    ref: 'refs/heads/main',
    workflow: 'release.yml',
  });
const accept = (runIds: string, { inputs, ...job }: Job = {}) =>
  gate.run({
    claims: { workflow_ref: `${REPOSITORY.name}/.github/workflows/release.yml@refs/heads/main` },
    ...job,
    inputs: { command: 'accept', 'run-ids': runIds, 'output-file': '', ...inputs },
  });

test('a waived run stays aborted, and the step passes unless waivers is false', async () => {
  const first = await gate.run({ files: { 'answer.txt': BAD } });
  expect([first.code, first.outputs.waived]).toEqual([1, 'false']);
  await waive(first.outputs['run-id'] ?? '');
  const bad = { files: { 'answer.txt': BAD } };
  const waived = await gate.run({ ...bad, ...attempt(2) });
  expect(waived.code).toBe(0);
  expect(waived.outputs).toMatchObject({
    verdict: 'aborted',
    passed: 'false',
    'exit-code': '0',
    waived: 'true',
  });
  expect(waived.summary).toMatch(/\n- aborted, waived by API key <code>.*<\/code> until <code>/);
  expect(waived.summary).not.toMatch(/@octocat|\*\*@|\u202e/);
  // As GitHub shows the step: passed, though the run is not cleared.
  expect(waived.summary).toMatch(/### ⚠️ <code>returns<\/code> <code>bot<\/code> \(evalgate\)\n/);
  expect(waived.summary).toMatch(/ until <code>(?:[^<.]|<wbr>)*Z<\/code>/);
  expect(waived.summary).toMatch(/\ncommit <code>[0-9a-f]{7}<\/code>, /);
  expect(waived.commands.filter(({ message }) => message === 'x')).toEqual([]);
  const strict = await gate.run({ ...bad, ...attempt(3), inputs: { waivers: 'false' } });
  expect([strict.code, strict.outputs['exit-code'], strict.outputs.waived]).toEqual([1, '1', 'false']);
  expect(strict.summary).toContain('### ❌ ');
  expect(strict.summary.split('### ❌ ')[1]).not.toContain('waived');
  await gate.client.waivers.delete(first.outputs['run-id'] ?? '');
  expect((await gate.run({ ...bad, ...attempt(4) })).code).toBe(1);
});

test('in public repositories no report shows why a run was waived', async () => {
  const { outputs } = await gate.run({ files: { 'answer.txt': BAD } });
  await waive(outputs['run-id'] ?? '');
  const payload = pullRequest();
  payload.repository.private = false;
  const claims = { ref: 'refs/pull/2/merge' };
  const { summary, stdout } = await gate.run({
    event: 'pull_request',
    payload,
    claims,
    files: { 'answer.txt': BAD },
  });
  const [comment] = world.github.comments.get(2) ?? [];
  for (const text of [summary, stdout, comment?.body]) {
    expect(text).toContain('aborted, waived by API key');
    expect(text).not.toContain('Requested');
  }
});

test('with a baseline, outputs and comment list what got worse since it, and no run of the base branch is read', async () => {
  const base = await gate.run(answering());
  await gate.client.baselines.accept(gate.suiteId, { run_ids: [base.outputs['run-id'] ?? ''] });
  const { id } = await gate.client.baselines.get(gate.suiteId);
  const { inputs, files } = answering('letter');
  const payload = pullRequest();
  payload.pull_request.base.ref = 'main';
  const worse = await gate.run({
    event: 'pull_request',
    payload,
    claims: { ref: 'refs/pull/2/merge' },
    inputs: { ...inputs, 'junit-file': 'junit.xml' },
    files,
  });
  expect(worse.outputs).toMatchObject({
    'baseline-id': id,
    'newly-failing': '["letter"]',
    'p-value': '0.25',
  });
  const [comment] = world.github.comments.get(2) ?? [];
  for (const markdown of [worse.summary, comment?.body ?? '']) {
    expect(markdown).toContain(
      '\n- 1 of 3 compared cases is newly failing: by chance alone that happens in 25 of 100 comparisons (p = 0.25)\n- against the baseline accepted today (',
    );
    expect(markdown).toContain('<summary>1 newly failing</summary>');
    expect(markdown.indexOf('1 newly failing</summary>')).toBeLessThan(markdown.indexOf('1 of 3 compared'));
    expect(markdown).not.toContain('against <code>main');
  }
  const same = await gate.run({ ...answering(), ...attempt(2) });
  expect(same.outputs).toMatchObject({ 'newly-failing': '[]', 'p-value': '1' });
  expect(same.summary).toContain('none of 3 compared cases is newly failing');
});

test('accept makes runs of the branch the baseline, after a person has accepted the first one', async () => {
  await trustReleases();
  const [one, two] = [await gate.run(answering()), await gate.run({ ...answering(), ...attempt(2) })];
  const ids = [one, two].map(({ outputs }) => outputs['run-id'] ?? '');
  const early = await accept(ids.join(','));
  expect(early).toMatchObject({ code: 2, outputs: { verdict: 'error', 'exit-code': '2' } });
  await gate.client.baselines.accept(gate.suiteId, { run_ids: ids.slice(0, 1) });
  const accepted = await accept(`${ids[0]},\n ${ids[1]}`);
  const current = await gate.client.baselines.get(gate.suiteId);
  expect(current).toMatchObject({ run_ids: ids, accepted_by: { type: 'github_actions' } });
  expect(accepted).toMatchObject({ code: 0, outputs: { 'exit-code': '0', 'baseline-id': current.id } });
  expect(accepted.summary).toContain('2 runs, 3 cases, pass rate 100.0 %');
  expect(accepted.stdout).toContain(`accepted as baseline ${current.id}`);
  expect(world.github.comments.size).toBe(0);
});

test.each<[string, string, Job, string]>([
  [
    'a pull request',
    'run_1',
    { event: 'pull_request', payload: pullRequest() },
    'refuses jobs of pull_request',
  ],
  ['a fork', 'run_1', { event: 'pull_request', payload: forkPullRequest() }, 'refuses jobs of pull_request'],
  [
    'another workflow’s end',
    'run_1',
    { event: 'workflow_run', payload: workflowRun() },
    'refuses jobs of workflow_run',
  ],
  ['no runs', ' , ', {}, 'run-ids is missing'],
  ['no suite', 'run_1', { inputs: { suite: '' } }, 'suite is missing'],
  ['a suite without a baseline', 'run_1 ::error::@octocat', {}, 'scope "full"'],
])('accept with %s fails the step with 2, and nothing is accepted', async (_what, runIds, job, words) => {
  await trustReleases();
  const { code, commands, stderr } = await accept(runIds, job);
  expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
  const errors = commands.filter(({ name }) => name === 'error');
  expect(errors.map(({ message }) => message).join()).toContain(words);
  await expect(gate.client.baselines.get(gate.suiteId)).rejects.toMatchObject({ status: 404 });
});

test('accept of a repository that is trusted with gates only is 2, and names the registration that it needs', async () => {
  const { outputs } = await gate.run(answering());
  await gate.client.baselines.accept(gate.suiteId, { run_ids: [outputs['run-id'] ?? ''] });
  const { code, commands } = await accept(outputs['run-id'] ?? '');
  expect(code).toBe(2);
  expect(commands.map(({ message }) => message).join('\n')).toContain('--scope suites');
});
