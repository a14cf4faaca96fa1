import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Evalgate } from '../../../clients/sdk/index.ts';
import { failure, hang, type Providers, startProviders, verdict } from '../../support/providers.ts';
import { eventually, type RunningService, startService } from '../../support/service.ts';
import { aPlace, type Place } from './cli.ts';

let providers: Providers;
let service: RunningService;
let place: Place;
let gate: Evalgate;

beforeAll(async () => {
  providers = await startProviders();
  service = await startService({ env: providers.env });
  const url = service.baseUrl;
  const { api_key } = await new Evalgate({ url }).auth.signup({ name: 'With judges' });
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
