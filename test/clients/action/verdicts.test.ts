import { expect, test } from '@jest/globals';
import { endingOfError } from '../../../clients/action/outcome.ts';
import { errorOf } from '../../../clients/sdk/errors.ts';
import { KEY_OF_A_PROVIDER_THAT_IS_DOWN } from '../../support/providers.ts';
import { json, ownTime, startHostile } from '../sdk/hostile.ts';
import { HEAD_SHA, pullRequest, workflowRun } from './payloads.ts';
import { BAD, GOOD, useWorld, type World } from './world.ts';

const world = useWorld();

const outputsOf = (...items: object[]) => items.map((item) => JSON.stringify(item)).join('\n');
const manyOf = (text: string) => ({
  inputs: { 'output-file': '', 'outputs-file': 'answers.jsonl' },
  files: { 'answers.jsonl': text },
});
const answersOf = (window: object) =>
  manyOf(outputsOf({ case: 'window', ...window }, { case: ['refund', 'letter'], output: GOOD }));

test('a cleared run of a job without a stored key ends with 0, and its outputs say so', async () => {
  const gate = await world.gate();
  const { code, outputs, summary, stderr, commands, stdout } = await gate.run();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(outputs).toEqual({
    verdict: 'cleared',
    passed: 'true',
    'exit-code': '0',
    'pass-rate': '1',
    'total-cases': '3',
    'passed-cases': '3',
    'failed-cases': '0',
    'errored-cases': '0',
    failures: '[]',
    waived: 'false',
    'run-id': expect.stringMatching(/^run_/),
    'run-url': `${world.url}/app/runs/${outputs['run-id']}`,
  });
  expect(summary).toContain(`[See the run](<${outputs['run-url']}>)`);
  expect(stdout).toContain(outputs['run-url']);
  expect(summary).toContain('cleared: pass rate 100.0 % ≥ 100.0 %');
  expect(summary).toContain('3 of 3 cases passed');
  // The job's own token and the one that it was exchanged for: nothing else of them stands in the log.
  const secrets = commands.filter(({ name }) => name === 'add-mask').map(({ message }) => message);
  expect(secrets.filter((secret) => secret.startsWith('eyJ'))).toHaveLength(2);
  for (const secret of secrets) expect(stdout.split(secret)).toHaveLength(2);
});

test('an aborted run ends with 1, or 0 without aborted in fail-on, and names what failed everywhere', async () => {
  const gate = await world.gate();
  const { code, outputs, summary, commands } = await gate.run({ files: { 'answer.txt': BAD } });
  expect(code).toBe(1);
  expect(outputs).toMatchObject({ verdict: 'aborted', passed: 'false', 'exit-code': '1', 'pass-rate': '0' });
  const failures = JSON.parse(outputs.failures ?? '');
  expect(failures).toHaveLength(3);
  expect(failures[0]).toEqual({
    case: expect.any(String),
    score: 0,
    threshold: 0.5,
    reason: expect.stringContaining('30 days'),
  });
  expect(summary).toContain('aborted by');
  for (const key of ['window', 'refund', 'letter']) expect(summary).toContain(key);
  const errors = commands.filter(({ name }) => name === 'error');
  const titles = ['evalgate: returns', 'window', 'refund', 'letter'];
  expect(errors.map(({ properties }) => properties.title)).toEqual(titles);
  const lenient = await gate.run({
    files: { 'answer.txt': BAD },
    inputs: { 'fail-on': 'inconclusive, error' },
  });
  expect(lenient).toMatchObject({
    code: 0,
    outputs: { verdict: 'aborted', 'exit-code': '1', passed: 'false' },
  });
});

test('the run names its commit, pull request and job, and the commit is the head of the pull request', async () => {
  const gate = await world.gate();
  const job = { event: 'pull_request', payload: pullRequest(), inputs: { meta: 'model=large\nseed = 7' } };
  const { outputs } = await gate.run(job);
  const run = await gate.client.runs.get(outputs['run-id'] ?? '');
  expect(run.trigger).toBe('github_action');
  expect(run.trigger_meta).toEqual({
    repository: 'Codertocat/Hello-World',
    sha: HEAD_SHA,
    ref: 'refs/pull/2/merge',
    pr: 2,
    event: 'pull_request',
    actor: 'octocat',
    workflow: 'Gate',
    job: 'gate',
    run_id: '17234567890',
    attempt: 1,
    url: 'https://github.com/Codertocat/Hello-World/actions/runs/17234567890',
    model: 'large',
    seed: '7',
  });
  expect(run.created_by).toMatchObject({ type: 'github_actions', repository: 'Codertocat/Hello-World' });
});

test('the same attempt is one run; another attempt and another job of a matrix are others', async () => {
  const gate = await world.gate();
  const idOf = async (job: Parameters<typeof gate.run>[0]) => (await gate.run(job)).outputs['run-id'];
  const first = await idOf({});
  expect(await idOf({})).toBe(first);
  const others = [
    await idOf({ env: { GITHUB_RUN_ATTEMPT: '2' } }),
    await idOf({ env: { GITHUB_ACTION: '__self_2' } }),
    await idOf({ files: { 'answer.txt': `${GOOD} Always.` } }),
  ];
  expect(new Set([first, ...others]).size).toBe(4);
  expect(await gate.runCount()).toBe(4);
});

test('an output that the program did not get is inconclusive, and fails the step with any fail-on', async () => {
  const gate = await world.gate();
  for (const failOn of ['aborted,inconclusive,error', 'aborted,error']) {
    const { inputs, files } = answersOf({ error: 'rate limit of the model' });
    const job = { inputs: { ...inputs, 'fail-on': failOn }, files };
    const { code, outputs } = await gate.run(job);
    expect(code).toBe(3);
    expect(outputs).toMatchObject({ verdict: 'inconclusive', 'exit-code': '3', 'errored-cases': '1' });
    expect(outputs.fault).toBe('candidate');
  }
});

/** A case more, whose judge decides. */
async function addJudge({ client, suiteId }: Awaited<ReturnType<World['gate']>>): Promise<void> {
  const { id } = await client.scorers.create('bot', {
    name: 'Polite',
    type: 'llm_judge',
    config: { _provider: 'openai', model: 'judge', rubric: 'Is it polite?' },
  });
  await client.cases.create(suiteId, { name: 'tone', input: {}, scorer_id: id });
}

test('a case without a key for its judge fails the step with any fail-on', async () => {
  const gate = await world.gate();
  await addJudge(gate);
  const { code, outputs } = await gate.run({ inputs: { 'fail-on': 'aborted' } });
  expect([code, outputs.verdict, outputs.fault]).toEqual([3, 'inconclusive', 'bar']);
});

test('a case whose provider is down is inconclusive: the step ends with 3, or goes on without it in fail-on', async () => {
  const gate = await world.gate();
  await addJudge(gate);
  const key = { provider: 'openai', key: KEY_OF_A_PROVIDER_THAT_IS_DOWN, is_default: true } as const;
  await gate.client.byokKeys.create(key);
  const strict = await gate.run();
  expect([strict.code, strict.outputs.verdict, strict.outputs.fault]).toEqual([3, 'inconclusive', 'service']);
  const lenient = await gate.run({ inputs: { 'fail-on': 'aborted' } });
  expect([lenient.code, lenient.outputs['exit-code'], lenient.outputs.passed]).toEqual([0, '3', 'false']);
});

/** Has this status, and may be judged or not. */
const runThat = (status: string) =>
  json(200, { data: { id: 'run_1', status, pass_rate: 1, failed_cases: 0, inconclusive: false } });
const ACCEPTED = json(202, { id: 'run_1', status: 'pending', message: 'Later.' });

test.each([
  ['is pending when the wait ends', 'pending', 'evalgate wait run_1'],
  ['has a status that this version does not know', 'held', 'the status held'],
])(
  'a run that %s is no verdict: the step ends with 3, names it, and prints its id',
  async (_, status, said) => {
    const gate = await world.gate();
    const service = await startHostile();
    service.answers(ACCEPTED, runThat(status));
    const inputs = { url: service.url, 'api-key': gate.apiKey, wait: '0s' };
    const { code, outputs, commands } = await gate.run({ inputs });
    await service.stop();
    expect([code, outputs.verdict, outputs['exit-code'], outputs['run-id']]).toEqual([
      3,
      'error',
      '3',
      'run_1',
    ]);
    expect(commands.at(-1)?.message).toContain(said);
  },
);

test('a service that cannot be reached is no verdict: the step ends with 3, or goes on without error in fail-on', async () => {
  const gate = await world.gate();
  const gone = await startHostile();
  await gone.stop();
  const job = { inputs: { url: gone.url }, clock: ownTime().environment };
  const { code, outputs, summary } = await gate.run(job);
  expect([code, outputs.verdict, outputs['exit-code']]).toEqual([3, 'error', '3']);
  expect(summary).toContain('no verdict');
  expect(summary).toContain('ECONNREFUSED');
  const lenient = await gate.run({ ...job, inputs: { ...job.inputs, 'fail-on': 'aborted' } });
  expect([lenient.code, lenient.outputs.verdict]).toEqual([0, 'error']);
});

test.each([
  ...[400, 401, 403, 404, 409, 413, 422].map((status) => [status, 2, true] as const),
  // A month without runs is no outage.
  [402, 3, true] as const,
  ...[408, 429, 500, 503, 504].map((status) => [status, 3, false] as const),
])(
  'an answer %i is no verdict: the exit code is %i, and it fails without error in fail-on: %s',
  (status, exitCode, isFailure) => {
    const error = errorOf('It failed.', { status, code: `HTTP_${status}` });
    expect(endingOfError(error, ['aborted'])).toMatchObject({ verdict: 'error', exitCode, isFailure });
    expect(endingOfError(error, ['aborted', 'error'])).toMatchObject({ exitCode, isFailure: true });
  },
);

test('a first try that is still under way, and a fault of the action itself, end with 3', () => {
  const underWay = errorOf('under way', { status: 409, code: 'IDEMPOTENCY_IN_PROGRESS' });
  for (const error of [underWay, new Error('a fault')])
    expect(endingOfError(error, ['error'])).toMatchObject({ exitCode: 3, isFailure: true });
});

test('what the service refuses of a file is reported with its line', async () => {
  const gate = await world.gate();
  const text = `\n${outputsOf({ case: 'window', output: GOOD }, { case: 'refund', output: GOOD, metadata: { cost_usd: -1 } })}`;
  const { code, commands } = await gate.run(manyOf(text));
  expect(code).toBe(2);
  expect(commands.at(-1)?.message).toContain('answers.jsonl:3:1: error: metadata.cost_usd must be');
});

test('reports that cannot be written change nothing of the verdict', async () => {
  const gate = await world.gate();
  // A file is no folder.
  const nowhere = 'answer.txt/file';
  const env = { GITHUB_STEP_SUMMARY: nowhere, GITHUB_OUTPUT: nowhere };
  const inputs = { 'report-file': `${nowhere}.json`, 'junit-file': '.' };
  const good = await gate.run({ env, inputs });
  expect([good.code, good.stderr]).toEqual([0, '']);
  const notices = good.commands.filter(({ name }) => name === 'notice').map(({ message }) => message);
  for (const what of ['The outputs', 'The summary', 'The file report-file', 'The file junit-file']) {
    expect(notices.some((message) => message.startsWith(`${what} could not be written: `))).toBe(true);
  }
  expect(notices).toContainEqual(expect.stringContaining(`written: ${nowhere}.json: `));
  expect((await gate.run({ env, inputs, files: { 'answer.txt': BAD } })).code).toBe(1);
});

test('annotations and JUnit name the lines of cases in a suite of the workspace', async () => {
  const gate = await world.gate();
  const files = {
    'answer.txt': BAD,
    'evalgate.yaml': 'version: 1\nproject: bot\nsuites: ["*.suite.yaml"]\n',
    'returns.suite.yaml': 'version: 1\nsuite: returns\ncases:\n  - key: refund\n    input: {}\n',
  };
  const inputs = { 'junit-file': 'junit.xml' };
  const ended = await gate.run({ inputs, files });
  const placesOf = ({ commands }: typeof ended) =>
    Object.fromEntries(
      commands
        .filter(({ name }) => name === 'error')
        .map(({ properties: { title, file, line } }) => [title, [file, line]]),
    );
  expect(placesOf(ended)).toMatchObject({
    refund: ['returns.suite.yaml', '4'],
    window: [undefined, undefined],
  });
  expect(ended.file('junit.xml')).toMatch(/name="refund"[^>]* file="returns\.suite\.yaml" line="4"/);
  const followed = await gate.run({ inputs, files, event: 'workflow_run', payload: workflowRun() });
  expect([followed.code, placesOf(followed).refund]).toEqual([1, [undefined, undefined]]);
});

test('statement-file is written for a cleared run alone, whose commit it names', async () => {
  const gate = await world.gate();
  const inputs = { 'statement-file': 'statement.json' };
  const cleared = await gate.run({ inputs });
  expect([cleared.code, cleared.outputs['statement-file']]).toEqual([0, 'statement.json']);
  const { payload } = JSON.parse(String(cleared.file('statement.json'))).dsseEnvelope;
  const { predicate } = JSON.parse(String(Buffer.from(payload, 'base64')));
  expect(predicate.evalgate.runId).toBe(cleared.outputs['run-id']);
  const files = { 'answer.txt': BAD, 'statement.json': '{"of": "an earlier step"}' };
  const aborted = await gate.run({ inputs, files });
  expect([aborted.code, aborted.outputs['statement-file']]).toEqual([1, undefined]);
  expect(aborted.file('statement.json')).toBeUndefined();
});

test('a cleared run whose statement cannot be written ends the step with 3', async () => {
  const gate = await world.gate();
  const ended = await gate.run({ inputs: { 'statement-file': '.' } });
  expect(ended.code).toBe(3);
  expect(ended.outputs).toMatchObject({ verdict: 'error', passed: 'false' });
  expect(ended.commands.map(({ message }) => message)).toContainEqual(
    expect.stringContaining('The run was cleared, but its statement could not be had'),
  );
});

test('report-file holds every result as JSON, and junit-file as JUnit', async () => {
  const gate = await world.gate();
  const inputs = { 'report-file': 'report.json', 'junit-file': 'junit.xml' };
  const ended = await gate.run({ inputs, files: { 'answer.txt': BAD } });
  expect(ended.outputs).toMatchObject(inputs);
  const { run, results, results_complete } = JSON.parse(ended.file('report.json') ?? '');
  expect([run.id, results.length, results_complete]).toEqual([ended.outputs['run-id'], 3, true]);
  expect(ended.file('junit.xml')).toContain('<testcase name="window"');
});
