import { beforeAll, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { KEY_THAT_IS_REFUSED } from '../../support/providers.ts';
import { eventually } from '../../support/service.ts';
import { json, silent, useHostile } from '../sdk/hostile.ts';
import { useGate, usePlace } from './cli.ts';

const url = sharedServiceUrl();
const gated = useGate();
/** In place of the service: its runs never end. */
const stranger = useHostile();
const place = usePlace(() => ({ EVALGATE_URL: url, EVALGATE_API_KEY: gated.apiKey }));

beforeAll(async () => {
  const { gate } = gated;
  const suite = await gate.suites.create('bot', { name: 'Judged', slug: 'judged' });
  const judge = await gate.scorers.create('bot', {
    name: 'Judge',
    type: 'llm_judge',
    config: { rubric: 'Is it polite?', _provider: 'openai', model: 'm' },
  });
  await gate.cases.create(suite.id, { name: 'polite', input: {}, scorer_id: judge.id });
});

const JUDGED = ['run', 'judged', '--output', 'good.txt'];
const atStranger = () => ({ env: { EVALGATE_URL: stranger.url } });
const PENDING = json(200, { data: { id: 'run_1', status: 'pending', failed_cases: 0, passed_cases: 0 } });
const NO_RESULTS = json(200, {
  data: [],
  pagination: { page: 1, pageSize: 100, total: 0, hasMore: false },
});

test('Ctrl-C ends a wait with 130, names the run or the key that finds it, and nothing is on stdout', async () => {
  const accepted = json(202, { id: 'run_1', status: 'pending', message: 'Later.' });
  for (const [args, answers, until, hint] of [
    [[...JUDGED, '--wait', '20s'], [accepted, PENDING], 'run_1', 'the run goes on: evalgate wait run_1\n'],
    [['wait', 'run_1'], [PENDING], 'run_1', 'the run goes on: evalgate wait run_1\n'],
    [JUDGED, [silent], 'Running judged', /--idempotency-key [\w-]+ finds it/],
  ] as const) {
    stranger.answers(...answers);
    const started = place.start(args, atStranger());
    await eventually(() => started.said().includes(until));
    started.child.kill('SIGINT');
    const { code, stdout, stderr } = await started.ended;
    expect({ args, code, stdout }).toEqual({ args, code: 130, stdout: '' });
    expect(stderr).toMatch(hint);
  }
});

test('a run that is pending when the wait ends is 3, and prints how to go on', async () => {
  stranger.answers(PENDING);
  const { code, stdout, stderr } = await place.cli(['wait', 'run_1', '--wait', '0s'], atStranger());
  expect(code).toBe(3);
  expect(stdout).toContain('pending: there is no verdict yet');
  expect(stderr).toContain('the wait is over, and the run goes on: evalgate wait run_1');
  stranger.answers(NO_RESULTS, PENDING);
  const results = await place.cli(['results', 'run_1', '--failed'], atStranger());
  const none = 'The run is pending, and has no results yet.\n';
  expect(results).toEqual({ code: 0, stdout: '', stderr: none });
});

test('a run whose judge does not answer is inconclusive, which is 3, and a judged one is 0', async () => {
  const { byokKeys } = gated.gate;
  const refused = await byokKeys.create({ provider: 'openai', key: KEY_THAT_IS_REFUSED, is_default: true });
  const { code, stdout } = await place.cli(JUDGED);
  expect(code).toBe(3);
  expect(stdout).toMatch(/inconclusive by pass_rate/);
  expect(stdout).toMatch(/\? polite {2}could not be judged: /);
  expect(await place.cli(['byok', 'test', refused.id])).toMatchObject({
    code: 2,
    stdout: 'openai  does not take the key\n',
  });
  await byokKeys.delete(refused.id);
  await byokKeys.create({ provider: 'openai', key: 'sk-of-the-tests-0123456789', is_default: true });
  expect(await place.cli(JUDGED)).toMatchObject({ code: 0 });
});

const KEY = 'sk-of-the-provider-0123456789';

test('a provider’s key comes from stdin, is never printed, and can be tested', async () => {
  const added = await place.cli(['byok', 'add', 'openai', '--name', 'CI'], {
    stdin: `${KEY}\n`,
  });
  expect(added).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\S+ {2}openai {2}sk-of-th… {2}CI {2}never used\n$/),
  });
  const id = added.stdout.split(' ')[0] ?? '';
  const listed = await place.cli(['byok', 'list', '--json']);
  expect(JSON.parse(listed.stdout)).toContainEqual(expect.objectContaining({ id, provider: 'openai' }));
  expect(await place.cli(['byok', 'test', id])).toMatchObject({ code: 0, stdout: 'openai  takes the key\n' });
  expect(added.stdout + added.stderr + listed.stdout).not.toContain(KEY);
  const unknown = await place.cli(['byok', 'add', 'nobody'], { stdin: KEY });
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('provider') });
  expect(unknown.stderr).not.toContain(KEY);
});

test('a repository is trusted under the conditions that were given, and the command prints what its jobs need', async () => {
  const named = ['--ref', 'refs/heads/main', '--workflow', 'gate.yml'];
  const args = ['trust', 'octo-org/bot', ...named, '--project', 'bot'];
  const { code, stdout, stderr } = await place.cli(args);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(
      /^octo-org\/bot {2}\S+ {2}ref refs\/heads\/main {2}workflow gate.yml {2}project bot\n$/,
    ),
  });
  expect(stderr).toContain(`EVALGATE_ORG=${gated.orgId}`);
  expect(stderr).toContain(
    'Jobs of pull requests have another ref than refs/heads/main: refs/pull/<number>/merge.',
  );
  const { data } = await gated.gate.trustedIssuers.list().page();
  expect(data).toMatchObject([{ repository: 'octo-org/bot', ref: 'refs/heads/main', workflow: 'gate.yml' }]);
  expect(await place.cli(['trust', 'octo-org'])).toMatchObject({ code: 2 });
  expect(await place.cli(args)).toMatchObject({ code: 2, stdout: '' });
});

test('a repository is trusted where its jobs are of one reusable workflow', async () => {
  const central = 'octo-org/central/.github/workflows/gate.yml@refs/heads/main';
  const { code, stdout } = await place.cli(['trust', 'octo-org/pinned', '--job-workflow-ref', central]);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining(`job_workflow_ref ${central}`),
  });
  const { data } = await gated.gate.trustedIssuers.list().page();
  expect(data[0]).toMatchObject({ repository: 'octo-org/pinned', job_workflow_ref: central });
  const short = await place.cli(['trust', 'octo-org/pinned', '--job-workflow-ref', 'gate.yml']);
  expect(short).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('must name repository, file and ref'),
  });
});

test('a repository is trusted with suites by --scope suites, and the command prints what is missing for it', async () => {
  const named = ['--ref', 'refs/heads/main', '--workflow', 'push.yml'];
  const args = ['trust', 'octo-org/pushes', '--scope', 'suites', '--project', 'bot'];
  const missing = await place.cli(args);
  expect(missing).toMatchObject({ code: 2, stdout: '' });
  expect(missing.stderr).toContain('ref: must name one branch in full, such as "refs/heads/main",');
  expect(missing.stderr).toContain('workflow: must name the file of the workflow that pushes');
  const { code, stdout } = await place.cli([...args, ...named]);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(
      /^octo-org\/pushes {2}\S+ {2}scope suites {2}ref refs\/heads\/main {2}workflow push.yml {2}project bot\n$/,
    ),
  });
  const { data } = await gated.gate.trustedIssuers.list().page();
  expect(data).toContainEqual(expect.objectContaining({ repository: 'octo-org/pushes', scope: 'suites' }));
  const full = await place.cli(['trust', 'octo-org/pushes', '--scope', 'full']);
  expect(full).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('run, suites') });
});
