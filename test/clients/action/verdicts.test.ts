import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { monthOf } from '../../../shared/domain/time.ts';
import type { Claims } from '../../support/oidc.ts';
import { failure, hang } from '../../support/providers.ts';
import { setUsed } from '../../support/usage.ts';
import { startHostile } from '../sdk/hostile.ts';
import { HEAD_SHA, pullRequest, REPOSITORY, workflowRun } from './payloads.ts';
import { BAD, GOOD, startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
beforeEach(() => {
  world.github.reset();
  world.stage.providers.reset();
});
afterAll(() => world.stop());

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
    'run-id': expect.stringMatching(/^run_/),
  });
  expect(summary).toContain('cleared: pass rate 100.0 % ≥ 100.0 %');
  expect(summary).toContain('3 cases passed');
  // The job's own token and the one that it was exchanged for: nothing else of them stands in the log.
  const secrets = commands.filter(({ name }) => name === 'add-mask').map(({ message }) => message);
  expect(secrets.filter((secret) => secret.startsWith('eyJ'))).toHaveLength(2);
  for (const secret of secrets) expect(stdout.split(secret)).toHaveLength(2);
});

test('an aborted run ends with 1, and names what failed in outputs, summary and annotations', async () => {
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
  expect(errors.map(({ properties }) => properties.title)).toEqual([
    'evalgate: returns',
    'window',
    'refund',
    'letter',
  ]);
});

test('without aborted in fail-on an aborted run is reported, and the step succeeds', async () => {
  const gate = await world.gate();
  const files = { 'answer.txt': BAD };
  const { code, outputs } = await gate.run({ files, inputs: { 'fail-on': 'inconclusive, error' } });
  expect(code).toBe(0);
  expect(outputs).toMatchObject({ verdict: 'aborted', 'exit-code': '1', passed: 'false' });
});

test('the run says which commit, pull request and job it is of, and the commit is the head of the pull request', async () => {
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

test('an output that the program did not get is inconclusive, and fails the step whatever fail-on says', async () => {
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

/** A case more that must pass, and whose scorer cannot say that `output` is wrong. */
const UNJUDGEABLE = {
  'too long for similarity': {
    scorer: { type: 'similarity', config: { metric: 'levenshtein' } },
    expected: 'refund',
    output: `${GOOD} `.repeat(1_000),
  },
  'too slow for a regex': {
    scorer: { type: 'regex', config: { pattern: '30 days(([a-z])+.)+[A-Z]([a-z])+$' } },
    output: `30 days${'a'.repeat(60)}`,
  },
  'too heavy for json_path': {
    scorer: {
      type: 'json_path',
      config: { assertions: [{ path: '$..[?count($..[?count($..*) > 0]) > 0].x', op: 'exists' }] },
    },
    output: JSON.stringify(Array.from({ length: 1_000 }, () => ({ a: '30 days' }))),
  },
  'without the figure of a metric': {
    scorer: { type: 'metric', config: { field: 'cost_usd', max: 1 } },
    output: GOOD,
  },
} as const;

test.each(Object.entries(UNJUDGEABLE))(
  'an output that must pass and is %s fails the step, whatever fail-on says',
  async (_, { scorer, output, ...fields }) => {
    const gate = await world.gate();
    const { id } = await gate.client.scorers.create('bot', { name: 'Strict', ...scorer } as never);
    const strict = { name: 'Strict', key: 'strict', input: {}, scorer_id: id, must_pass: true, ...fields };
    await gate.client.cases.create(gate.suiteId, strict);
    const job = { inputs: { 'fail-on': 'aborted' }, files: { 'answer.txt': output } };
    const { code, outputs, stdout } = await gate.run(job);
    expect([code, outputs.verdict, outputs['exit-code'], outputs.fault]).toEqual([
      ...[3, 'inconclusive', '3', 'candidate'],
    ]);
    expect(stdout).toContain('not excusable: outputs of the candidate are missing or could not be judged');
  },
);

test('outputs that are missing where a gate wants more verdicts fail the step, whatever fail-on says', async () => {
  const gate = await world.gate();
  const gates = { min_judged_cases: 3 };
  await gate.client.suites.update('bot', 'returns', { pass_threshold: 0.5, gates });
  const { inputs, files } = manyOf(outputsOf({ case: ['window', 'refund'], output: GOOD }));
  const { code, outputs } = await gate.run({ inputs: { ...inputs, 'fail-on': 'aborted' }, files });
  expect([code, outputs.verdict, outputs.fault]).toEqual([3, 'inconclusive', 'candidate']);
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

test('a case without a key for its judge fails the step, whatever fail-on says', async () => {
  const gate = await world.gate();
  await addJudge(gate);
  const { code, outputs } = await gate.run({ inputs: { 'fail-on': 'aborted' } });
  expect([code, outputs.verdict, outputs.fault]).toEqual([3, 'inconclusive', 'bar']);
});

test('a case whose provider is down is inconclusive: the step ends with 3, or goes on without it in fail-on', async () => {
  const gate = await world.gate();
  await addJudge(gate);
  await gate.client.byokKeys.create({ provider: 'openai', key: 'sk-of-the-test', is_default: true });
  world.stage.providers.always('openai', failure(503, { headers: { 'retry-after': '0' } }));
  const strict = await gate.run();
  expect([strict.code, strict.outputs.verdict, strict.outputs.fault]).toEqual([
    ...[3, 'inconclusive', 'service'],
  ]);
  const lenient = await gate.run({ inputs: { 'fail-on': 'aborted' } });
  expect([lenient.code, lenient.outputs['exit-code'], lenient.outputs.passed]).toEqual([0, '3', 'false']);
});

test('a run that is pending when the wait ends is no verdict: the step ends with 3 and prints its id', async () => {
  const gate = await world.gate();
  await addJudge(gate);
  await gate.client.byokKeys.create({ provider: 'openai', key: 'sk-of-the-test', is_default: true });
  world.stage.providers.always('openai', hang());
  const { code, outputs, commands } = await gate.run({ inputs: { wait: '100ms' } });
  expect([code, outputs.verdict, outputs['exit-code']]).toEqual([3, 'error', '3']);
  expect(outputs['run-id']).toMatch(/^run_/);
  expect(commands.at(-1)?.message).toContain(`evalgate wait ${outputs['run-id']}`);
});

test('no runs left in the month is no verdict: the step ends with 3, whatever fail-on says', async () => {
  const gate = await world.gate();
  for (const past of [0, -60_000, 60_000]) {
    const month = monthOf(new Date(Date.now() + past).toISOString());
    await setUsed(world.stage.table, gate.orgId, month, 500);
  }
  for (const inputs of [{}, { 'fail-on': 'aborted' }]) {
    const { code, outputs, commands } = await gate.run({ inputs });
    expect([code, outputs.verdict, outputs['exit-code']]).toEqual([3, 'error', '3']);
    expect(commands.at(-1)?.message).toContain('500');
  }
});

test('a service that cannot be reached is no verdict: the step ends with 3, or goes on without error in fail-on', async () => {
  const gate = await world.gate();
  const gone = await startHostile();
  await gone.stop();
  const job = { inputs: { url: gone.url }, speed: 50 };
  const { code, outputs, summary } = await gate.run(job);
  expect([code, outputs.verdict, outputs['exit-code']]).toEqual([3, 'error', '3']);
  expect(summary).toContain('no verdict');
  expect(summary).toContain('ECONNREFUSED');
  const lenient = await gate.run({ ...job, inputs: { ...job.inputs, 'fail-on': 'aborted' } });
  expect([lenient.code, lenient.outputs.verdict]).toEqual([0, 'error']);
});

test('a job of the repository without the permission for a token ends with 2 and prints what to add', async () => {
  const gate = await world.gate();
  const env = { ACTIONS_ID_TOKEN_REQUEST_URL: '', ACTIONS_ID_TOKEN_REQUEST_TOKEN: '' };
  const { code, outputs, commands } = await gate.run({ env });
  expect([code, outputs.verdict, outputs['exit-code']]).toEqual([2, 'error', '2']);
  expect(commands.at(-1)?.message).toContain('permissions:\n  id-token: write');
  expect(commands.at(-1)?.message).toContain('evalgate trust Codertocat/Hello-World');
  expect(await gate.runCount()).toBe(0);
});

test('a job that no registration trusts ends with 2 for any fail-on, after one token, and prints which job it is', async () => {
  const gate = await world.gate();
  const claims = { repository: 'octo-org/other', repository_id: '1' };
  const { code, commands } = await gate.run({ claims, inputs: { 'fail-on': 'aborted' } });
  expect(code).toBe(2);
  expect(commands.at(-1)?.message).toContain('ref refs/heads/main, workflow "Gate"');
  const tokens = commands.filter(({ name, message }) => name === 'add-mask' && message.startsWith('eyJ'));
  expect(tokens).toHaveLength(1);
});

const fileOf = (file: string) => ({
  workflow_ref: `${REPOSITORY.name}/.github/workflows/${file}@refs/heads/main`,
});

test.each<[string, Claims, Claims, readonly string[]]>([
  [
    'another workflow',
    { workflow: 'gate.yml' },
    fileOf('other.yml'),
    [
      'whose file is compared: .github/workflows/other.yml; environment none.',
      `evalgate trust ${REPOSITORY.name} --ref refs/heads/main --workflow other.yml --project bot`,
    ],
  ],
  [
    'another ref',
    { ref: 'refs/heads/main' },
    { ref: 'refs/pull/2/merge' },
    [
      'ref refs/pull/2/merge, workflow',
      `evalgate trust ${REPOSITORY.name} --workflow gate.yml --project bot`,
    ],
  ],
  [
    'another environment',
    { environment: 'prod' },
    { environment: "it's $(next)", ref: 'refs/heads/a;b' },
    [
      'environment "it\'s $(next)".',
      "--ref 'refs/heads/a;b' --workflow gate.yml --environment 'it'\\''s $(next)' --project bot",
    ],
  ],
  [
    'a workflow of its own',
    { workflow: 'gate.yml' },
    { workflow_ref: 'octo-org/central/.github/workflows/gate.yml@refs/heads/main' },
    [
      'whose file is compared: octo-org/central/.github/workflows/gate.yml;',
      `evalgate trust ${REPOSITORY.name} --ref refs/heads/main --project bot`,
    ],
  ],
])(
  'a job whose registration names %s prints what is compared, and a command that trusts it and few others',
  async (_, conditions, claims, sentences) => {
    const gate = await world.gate();
    for (const { id } of (await gate.client.trustedRepositories.list().page()).data) {
      await gate.client.trustedRepositories.delete(id);
    }
    await gate.client.trustedRepositories.create({ repository: REPOSITORY.name, ...conditions });
    const { code, commands } = await gate.run({ claims });
    expect(code).toBe(2);
    for (const sentence of sentences) expect(commands.at(-1)?.message).toContain(sentence);
  },
);

test('an API key that is not valid is named, without advice to register', async () => {
  const gate = await world.gate();
  const inputs = { 'api-key': `${gate.apiKey.slice(0, -4)}AAAA` };
  const { code, commands } = await gate.run({ inputs });
  expect(code).toBe(2);
  expect(commands.at(-1)?.message).toContain('The input api-key is not valid at http://');
  expect(commands.at(-1)?.message).not.toContain('evalgate trust');
});

test.each([
  [502, 'GitHub answered HTTP 502: Server Error'],
  [403, 'GitHub answered HTTP 403: Server Error'],
])('a GitHub that answers %d in place of the token is no verdict, and is named', async (status, sentence) => {
  const gate = await world.gate();
  world.github.oidcStatus = status;
  const { code, outputs, commands } = await gate.run({ speed: 50 });
  expect([code, outputs.verdict, outputs['exit-code']]).toEqual([3, 'error', '3']);
  expect(commands.at(-1)?.message).toBe(sentence);
});

test('a mistyped suite ends with 2 and the suites that there are', async () => {
  const gate = await world.gate();
  const { code, commands } = await gate.run({ inputs: { suite: 'retruns' } });
  expect(code).toBe(2);
  expect(commands.at(-1)?.message).toContain('may run: returns');
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
  expect((await gate.run({ env, inputs, files: { 'answer.txt': BAD } })).code).toBe(1);
});

test('annotations and JUnit name the lines of cases that stand in a suite of the workspace', async () => {
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

test('report-file holds every result as JSON, and junit-file as JUnit', async () => {
  const gate = await world.gate();
  const inputs = { 'report-file': 'report.json', 'junit-file': 'junit.xml' };
  const ended = await gate.run({ inputs, files: { 'answer.txt': BAD } });
  expect(ended.outputs).toMatchObject(inputs);
  const { run, results, results_complete } = JSON.parse(ended.file('report.json') ?? '');
  expect([run.id, results.length, results_complete]).toEqual([ended.outputs['run-id'], 3, true]);
  expect(ended.file('junit.xml')).toContain('<testcase name="window"');
});
