import { beforeEach, expect, test } from '@jest/globals';
import { mergeGroup, type Payload, pullRequest, push, REPOSITORY } from './payloads.ts';
import { BAD, type GateOfTest, GOOD, type Job, useWorld } from './world.ts';

const world = useWorld();
let gate: GateOfTest;
beforeEach(async () => {
  gate = await world.gate();
});

/** Each case its own output: those that are named answer badly. */
function answering(...bad: string[]): Pick<Job, 'inputs' | 'files'> {
  const lines = ['window', 'refund', 'letter'].map((key) =>
    JSON.stringify({
      case: key,
      output: bad.includes(key) ? BAD : GOOD,
      input: { question: `About ${key}?` },
    }),
  );
  return {
    inputs: { 'output-file': '', 'outputs-file': 'answers.jsonl' },
    files: { 'answers.jsonl': lines.join('\n') },
  };
}
const toMain = (payload: Payload = pullRequest()): Payload => {
  payload.pull_request.base.ref = 'main';
  return payload;
};
/** Whose default branch is main. */
const ofMain = (payload: Payload = push()): Payload => {
  payload.repository.default_branch = 'main';
  return payload;
};
const onMain = (job: Job, more: Partial<Job> = {}) => gate.run({ ...job, ...more });
const OF_PULL = { ref: 'refs/pull/2/merge' };
const onPullRequest = (job: Job, { inputs, ...more }: Partial<Job> = {}) =>
  gate.run({
    event: 'pull_request',
    payload: toMain(),
    claims: OF_PULL,
    ...job,
    inputs: { ...job.inputs, ...inputs },
    ...more,
  });
const comment = () => (world.github.comments.get(2) ?? []).at(-1)?.body ?? '';
const sentenceIn = (markdown: string) =>
  /^- (?:against|not compared).*$/m.exec(markdown)?.[0].replace(/<[^>]*>/g, '');

test('comment, summary and log list newly failing, already failing and fixed cases of the base branch', async () => {
  const base = await onMain(answering('refund', 'letter'));
  const { summary, stdout } = await onPullRequest(answering('window', 'refund'));
  const runId = (base.outputs['run-id'] ?? '').replaceAll('_', '&#95;');
  const said = `- against main (${runId} of 7d44484): 1 newly failing, 1 already failing, 1 fixed`;
  expect([sentenceIn(comment()), sentenceIn(summary)]).toEqual([said, said]);
  expect(stdout).toContain('1 newly failing, 1 already failing, 1 fixed');
  const titles = [...comment().matchAll(/<summary>(.*)<\/summary>/g)].map(([, title]) => title);
  expect(titles).toEqual([
    '1 newly failing',
    '1 already failing on <code>main</code>',
    '1 fixed',
    'Question and answer of the 2 gravest cases',
  ]);
  expect(comment()).toMatch(/\nwindow\n {2}question {2}About window\?\n {2}answer {4}Never\.\n\nrefund\n/);
  expect(summary).not.toContain('passed</summary>');
});

test('the comment has expected only where the suite shows it', async () => {
  const { data } = await gate.client.cases.list(gate.suiteId).page();
  await gate.client.cases.update(data[0]?.id ?? '', { expected: 'the-secret' });
  await onPullRequest(answering('window'));
  expect(comment()).toContain('About window?');
  expect(comment()).not.toContain('the-secret');
  await gate.client.suites.update('bot', 'returns', { show_expected: true });
  await onPullRequest(answering('window'), { env: { GITHUB_RUN_ATTEMPT: '2' } });
  expect(comment()).toContain('  expected  the-secret');
});

test('a public repository gets the comparison by keys, and no question or answer, even with full details', async () => {
  await onMain(answering());
  const payload = toMain();
  payload.repository.private = false;
  for (const [attempt, details] of ['auto', 'full'].entries()) {
    const env = { GITHUB_RUN_ATTEMPT: String(attempt + 1) };
    const { summary, stdout } = await onPullRequest(answering('window'), {
      payload,
      inputs: { details },
      env,
    });
    expect(comment()).toContain('1 newly failing');
    for (const text of [comment(), summary, stdout]) expect(text).not.toMatch(/About window|Never/);
  }
});

test('a run of another event, ref or repository is not one of the base branch, nor is one by the fields that a key sends', async () => {
  const other = { repository: REPOSITORY.name, ref: 'refs/heads/main', event: 'pull_request' };
  await gate.client.run({ suite: 'returns', output: BAD, trigger: 'github_action', trigger_meta: other });
  await gate.client.run({ suite: 'returns', output: BAD, trigger_meta: { ...other, event: 'push' } });
  // Its ref is that of the base branch, and what it judges is the pull request's.
  await onMain(answering('letter'), {
    event: 'pull_request_target',
    payload: toMain(),
    claims: { ref: 'refs/heads/main' },
  });
  await onMain(answering('refund'), {
    claims: { ref: 'refs/heads/next' },
    env: { GITHUB_REF: 'refs/heads/main' },
  });
  await onPullRequest(answering('window'));
  const none = '- not compared with main: it has none of the suite&#39;s newest 50 runs';
  expect(sentenceIn(comment())).toBe(none.replace('&#39;', "'"));
});

test('of several gates of the base branch it is that of the same job and leg, else the newest', async () => {
  const legs = (index: number) => ({ leg: `${index}/2` });
  const baseOf = async (index: number, ...bad: string[]) => {
    const job = answering(...bad);
    await onMain({ ...job, inputs: { ...job.inputs, ...legs(index) } });
  };
  await baseOf(0, 'window');
  await baseOf(1, 'refund');
  await onPullRequest(answering('window'), { inputs: legs(0) });
  expect(sentenceIn(comment())).toContain('0 newly failing, 1 already failing, 0 fixed');
  await onPullRequest(answering('window'), { env: { GITHUB_JOB: 'nightly' } });
  expect(sentenceIn(comment())).toContain('1 newly failing, 0 already failing, 1 fixed');
});

test('a merge queue is compared with its base, and a push to the base branch with the run before it', async () => {
  await onMain(answering('window'));
  const payload = mergeGroup();
  payload.merge_group.base_ref = 'refs/heads/main';
  const queued = await gate.run({
    ...answering('window'),
    event: 'merge_group',
    payload,
    claims: { ref: 'refs/heads/gh-readonly-queue/main/pr-2' },
  });
  expect(queued.summary).toContain('0 newly failing, 1 already failing');
  const pushed = await gate.run({ ...answering(), payload: ofMain(), env: { GITHUB_RUN_ATTEMPT: '2' } });
  expect(sentenceIn(pushed.summary)).toContain('0 newly failing, 0 already failing, 1 fixed');
});
