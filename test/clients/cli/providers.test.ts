import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Evalgate } from '../../../clients/sdk/index.ts';
import { failure, hang, type Providers, startProviders, verdict } from '../../support/providers.ts';
import { eventually, type RunningService, startService } from '../../support/service.ts';
import { aPlace, type Place } from './cli.ts';

let providers: Providers;
let service: RunningService;
let place: Place;
let gate: Evalgate;
let orgId: string;

beforeAll(async () => {
  providers = await startProviders();
  service = await startService({ env: providers.env });
  const url = service.baseUrl;
  const { api_key, organisation } = await new Evalgate({ url }).auth.signup({ name: 'With judges' });
  orgId = organisation.id;
  gate = new Evalgate({ url, apiKey: api_key.key });
  await gate.byokKeys.create({ provider: 'openai', key: 'sk-of-the-tests', is_default: true });
  await gate.projects.create({ name: 'Bot', slug: 'bot' });
  const suite = await gate.suites.create('bot', { name: 'Judged', slug: 'judged' });
  const judge = await gate.scorers.create('bot', {
    name: 'Judge',
    type: 'llm_judge',
    config: { rubric: 'Is it polite?', _provider: 'openai', model: 'm' },
  });
  await gate.cases.create(suite.id, { name: 'polite', input: {}, scorer_id: judge.id });
  place = aPlace({ EVALGATE_URL: url, EVALGATE_API_KEY: api_key.key });
  place.file('answer.txt', 'Dear customer');
});
afterAll(async () => {
  await service.stop();
  await providers.stop();
  place.remove();
});

const JUDGED = ['run', 'judged', '--output', 'answer.txt'];

test('Ctrl-C ends a wait with 130, names the run, and lets it go on', async () => {
  providers.always('openai', hang());
  for (const args of [JUDGED.concat('--wait', '20s'), undefined]) {
    const command: readonly string[] = args ?? [
      'wait',
      (await place.cli([...JUDGED, '--async'])).stdout.trim(),
    ];
    const started = place.start(command);
    await eventually(() => /run_\w+/.test(started.said()));
    started.child.kill('SIGINT');
    const { code, stdout, stderr } = await started.ended;
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    const [, id = ''] = /the run goes on: evalgate wait (run_\w+)\n/.exec(stderr) ?? [];
    expect(await gate.runs.get(id)).toMatchObject({ status: 'pending' });
  }
});

test('Ctrl-C before the run has an id names the key that finds it', async () => {
  const started = place.start(JUDGED);
  await eventually(() => started.said().includes('Running judged'));
  started.child.kill('SIGINT');
  const { code, stderr } = await started.ended;
  expect(code).toBe(130);
  expect(stderr).toMatch(/--idempotency-key [\w-]+ finds it|evalgate wait run_/);
});

test('a run that is pending when the wait ends is 3, and says how to go on', async () => {
  const { code, stdout, stderr } = await place.cli([...JUDGED, '--wait', '0s']);
  expect(code).toBe(3);
  expect(stdout).toContain('pending: there is no verdict yet');
  expect(stderr).toMatch(/the wait is over, and the run goes on: evalgate wait run_\w+/);
  for (const filter of [[], ['--failed']]) {
    const results = await place.cli(['results', /run_\w+/.exec(stdout)?.[0] ?? '', ...filter]);
    const stderr = 'The run is pending, and has no results yet.\n';
    expect(results).toEqual({ code: 0, stdout: '', stderr });
  }
});

test('a run whose judge does not answer is inconclusive, which is 3, and a judged one is 0', async () => {
  providers.always('openai', failure(401));
  const { code, stdout } = await place.cli(JUDGED);
  expect(code).toBe(3);
  expect(stdout).toMatch(/inconclusive by pass_rate/);
  expect(stdout).toMatch(/\? polite {2}could not be judged: /);
  providers.always('openai', verdict());
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
  providers.always('openai', failure(401), 'list_models');
  expect(await place.cli(['byok', 'test', id])).toMatchObject({
    code: 2,
    stdout: 'openai  does not take the key\n',
  });
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
  expect(stderr).toContain(`EVALGATE_ORG=${orgId}`);
  expect(stderr).toContain(
    'Jobs of pull requests have another ref than refs/heads/main: refs/pull/<number>/merge.',
  );
  const { data } = await gate.trustedRepositories.list().page();
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
  const { data } = await gate.trustedRepositories.list().page();
  expect(data[0]).toMatchObject({ repository: 'octo-org/pinned', job_workflow_ref: central });
  const short = await place.cli(['trust', 'octo-org/pinned', '--job-workflow-ref', 'gate.yml']);
  expect(short).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('must name repository, file and ref'),
  });
});

test('a repository is trusted with suites where that is said, and the command prints what is missing for it', async () => {
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
  const { data } = await gate.trustedRepositories.list().page();
  expect(data).toContainEqual(expect.objectContaining({ repository: 'octo-org/pushes', scope: 'suites' }));
  const full = await place.cli(['trust', 'octo-org/pushes', '--scope', 'full']);
  expect(full).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('run, suites') });
});
