import { beforeAll, expect, test } from '@jest/globals';
import { ownTime } from '../sdk/hostile.ts';
import { JOB_LOGIN } from './githubStandIn.ts';
import { pullRequest, REPOSITORY } from './payloads.ts';
import { BAD, GOOD, type Job, useGate, useWorld } from './world.ts';

const world = useWorld();
const gate = useGate(world);
beforeAll(async () => {
  for (const slug of ['refunds', 'billing']) {
    const suite = await gate.client.suites.create('bot', { name: slug, slug });
    const { data } = await gate.client.scorers.list('bot').page();
    await gate.client.cases.create(suite.id, { name: slug, input: {}, scorer_id: data[0]!.id });
  }
});

interface Leg {
  readonly run?: number;
  readonly attempt?: number;
  /** `index/total` */
  readonly leg?: string;
  readonly isGood?: boolean;
}
const inputsOf = ({ leg, inputs }: Leg & Job) => ({ ...(leg !== undefined && { leg }), ...inputs });
function runLeg({ run = 42, attempt = 1, isGood = true, ...job }: Leg & Job) {
  return gate.run({
    event: 'pull_request',
    payload: pullRequest(),
    ...job,
    files: { 'answer.txt': isGood ? GOOD : BAD },
    inputs: inputsOf(job),
    env: { GITHUB_RUN_NUMBER: String(run), GITHUB_RUN_ATTEMPT: String(attempt), ...job.env },
  });
}
/** Of each comment, the oldest first: its run, the suite, the verdict. */
const verdictsOfComments = () =>
  (world.github.comments.get(2) ?? []).map(({ body }) => {
    const [, run] = /run=([\d.]+)/.exec(body) ?? [];
    const [, suite] = /### \S+ <code>([\w-]+)<\/code>/.exec(body) ?? [];
    return `${run} ${suite} ${body.includes('**aborted') ? 'aborted' : 'cleared'}`;
  });

const called: Job = {
  claims: { job_workflow_ref: 'octo-org/central/.github/workflows/gate.yml@refs/heads/main' },
};

test('legs of a matrix with one suite have a comment each, which later runs change, in whatever order they end', async () => {
  await runLeg({ leg: '0/2', isGood: false });
  await runLeg({ leg: '1/2' });
  expect(verdictsOfComments()).toEqual(['42.1 returns aborted', '42.1 returns cleared']);
  await Promise.all([runLeg({ run: 43, leg: '1/2', isGood: false }), runLeg({ run: 43, leg: '0/2' })]);
  expect(verdictsOfComments()).toEqual(['43.1 returns cleared', '43.1 returns aborted']);
  await runLeg({ run: 43, attempt: 2, leg: '1/2' });
  expect(verdictsOfComments()).toEqual(['43.1 returns cleared', '43.2 returns cleared']);
});

test('two steps of one job that gate one suite hide nothing of each other, even where GitHub names them alike', async () => {
  const second = { env: { GITHUB_ACTION: '__self_2' } };
  for (const run of [42, 43]) {
    await runLeg({ run, isGood: false });
    await runLeg({ run, ...second });
    expect(verdictsOfComments()).toEqual([`${run}.1 returns aborted`, `${run}.1 returns cleared`]);
  }
  world.github.comments.clear();
  for (const run of [44, 45]) {
    const first = await runLeg({ run, isGood: false });
    const last = await runLeg({ run });
    expect(last.outputs['comment-url']).toBe(first.outputs['comment-url']);
    const [{ body = '' } = {}, ...others] = world.github.comments.get(2) ?? [];
    expect([body.match(/\*\*(?:cleared|aborted)/g), others]).toEqual([['**aborted', '**cleared'], []]);
    expect(body).toMatch(new RegExp(`^<!-- evalgate [0-9a-f]{32} run=${run}.1 `));
    expect(body.split('<!--')).toHaveLength(2);
  }
});

test('a workflow that is called twice at once with one suite shows both verdicts of each run, and none of the run before', async () => {
  for (const run of [42, 43, 44]) {
    let listing = 0;
    let goOn: () => void = () => undefined;
    const both = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    // Each lists the comments before the other one writes.
    world.github.before = async ({ method }) => {
      if (method === 'GET' && ++listing === 2) goOn();
      if (method === 'GET') await both;
    };
    await Promise.all([runLeg({ run, ...called, isGood: false }), runLeg({ run, ...called })]);
    expect(verdictsOfComments().toSorted()).toEqual([`${run}.1 returns aborted`, `${run}.1 returns cleared`]);
  }
});

test('a rerun of a part of a called workflow leaves the verdict of the rest', async () => {
  await runLeg({ ...called, isGood: false });
  await runLeg({ ...called });
  await runLeg({ ...called, attempt: 2 });
  expect(verdictsOfComments()).toContain('42.1 returns aborted');
  expect(verdictsOfComments()).toContain('42.2 returns cleared');
});

test('a job with an API key, called or not, writes new comments and deletes those of earlier runs', async () => {
  const job = { inputs: { 'api-key': gate.apiKey } };
  await runLeg({ ...job, isGood: false });
  await runLeg({ ...job, run: 43 });
  expect(verdictsOfComments()).toEqual(['43.1 returns cleared']);
  await runLeg({ ...job, run: 42, isGood: false });
  expect(verdictsOfComments()).toEqual(['43.1 returns cleared']);
});

test('the comment of a suite that has another name now is replaced, at once or beside other legs', async () => {
  const first = await runLeg({ isGood: false });
  const renamed = await runLeg({ run: 43, inputs: { suite: 'refunds' } });
  expect(verdictsOfComments()).toEqual(['43.1 refunds cleared']);
  expect(renamed.outputs['comment-url']).toBe(first.outputs['comment-url']);
  await runLeg({ isGood: false });
  expect(verdictsOfComments()).toEqual(['43.1 refunds cleared']);
  world.github.comments.clear();
  await runLeg({ leg: '0/2', isGood: false });
  await runLeg({ leg: '1/2', inputs: { suite: 'billing' } });
  await runLeg({ run: 43, leg: '0/2', inputs: { suite: 'refunds' } });
  expect(verdictsOfComments()).toEqual(['43.1 refunds cleared', '42.1 billing cleared']);
});

test('of a called workflow, too, no comment of an earlier name is left', async () => {
  await runLeg({ ...called, isGood: false });
  await runLeg({ ...called, run: 43, inputs: { suite: 'refunds' } });
  expect(verdictsOfComments()).toEqual(['43.1 refunds cleared']);
});

test('legs that the matrix has no more are deleted, and nothing else', async () => {
  for (const leg of ['0/3', '1/3', '2/3']) await runLeg({ leg, isGood: false });
  const other = world.github.add(2, 'hello', JOB_LOGIN);
  await runLeg({ run: 43, leg: '0/2' });
  expect(world.github.comments.get(2)).toContain(other);
  expect(verdictsOfComments().slice(0, 2)).toEqual(['43.1 returns cleared', '42.1 returns aborted']);
  expect(verdictsOfComments()).toHaveLength(3);
});

test('an earlier comment that cannot be deleted is a notice, and the verdict stays', async () => {
  await runLeg({ ...called, isGood: false });
  world.github.interfere = ({ method }, response) => {
    if (method !== 'DELETE') return false;
    response.writeHead(502, { 'content-type': 'text/html' }).end('<html>');
    return true;
  };
  const { code, outputs, commands } = await runLeg({ ...called, run: 43, clock: ownTime().environment });
  expect([code, outputs['comment-url'] === undefined]).toEqual([0, false]);
  expect(commands.at(-1)?.message).toBe('An earlier comment could not be deleted: GitHub answered HTTP 502');
});

test('workflows of one name but of two files have a comment each', async () => {
  for (const file of ['gate.yml', 'nightly.yml']) {
    const GITHUB_WORKFLOW_REF = `${REPOSITORY.name}/.github/workflows/${file}@refs/pull/2/merge`;
    await runLeg({ run: 42, env: { GITHUB_WORKFLOW_REF } });
  }
  expect(verdictsOfComments()).toHaveLength(2);
});

test('an empty github-token is named, and the verdict stays', async () => {
  const { code, commands } = await runLeg({ inputs: { 'github-token': '' } });
  expect(code).toBe(0);
  expect(commands.at(-1)?.message).toContain('No comment: the input github-token is empty');
});
