import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { pullRequest, workflowRun } from './payloads.ts';
import { BAD, type GateOfTest, GOOD, type Job, startWorld, type World } from './world.ts';

let world: World;
let gate: GateOfTest;
beforeAll(async () => {
  world = await startWorld();
  gate = await world.gate();
});
beforeEach(() => world.github.reset());
afterAll(() => world.stop());

const line = JSON.stringify({ case: 'window', output: GOOD });
const manyOf = (...lines: string[]) => ({
  inputs: { 'output-file': '', 'outputs-file': 'answers.jsonl' },
  files: { 'answers.jsonl': lines.join('\n') },
});

test.each<[string, Job, string]>([
  [
    'a command that it does not know',
    { inputs: { command: 'delete' } },
    'command holds "delete": it knows run, plan, push',
  ],
  ['no suite', { inputs: { suite: '' } }, 'suite is missing'],
  ['no file', { inputs: { 'output-file': '' } }, 'either output-file or outputs-file'],
  ['two files', { inputs: { 'outputs-file': 'answer.txt' } }, 'either output-file or outputs-file'],
  [
    'a file that is not there',
    { inputs: { 'output-file': 'none.txt' } },
    'none.txt:1:1: error: the output does not exist',
  ],
  ['a folder', { inputs: { 'output-file': '.' } }, '.:1:1: error: the output is not a regular file'],
  ['a file of another encoding', { files: { 'answer.txt': Buffer.from('yes', 'utf16le') } }, 'not UTF-8'],
  ['an unknown word in fail-on', { inputs: { 'fail-on': 'aborted,eror' } }, 'fail-on holds "eror"'],
  ['an empty word in fail-on', { inputs: { 'fail-on': ',' } }, 'fail-on holds ""'],
  ['an unknown word in on-fork', { inputs: { 'on-fork': 'ignore' } }, 'skip, fail'],
  ['an unknown word in comment', { inputs: { comment: 'yes' } }, 'always, problems, never'],
  ['an unknown word in details', { inputs: { details: 'all' } }, 'auto, full, keys'],
  ['an unknown word in annotations', { inputs: { annotations: 'no' } }, 'true, false'],
  ['a wait that is none', { inputs: { wait: '30 minutes' } }, '90s, 15m or 1h'],
  ['a pr-number that is none', { inputs: { 'pr-number': '2/../3' } }, 'pr-number'],
  [
    'an input whose number a JSON writer would change',
    { inputs: { input: '{"n": 9007199254740993}' } },
    'n is read as',
  ],
  ['an input that is no object', { inputs: { input: '[1]' } }, 'no JSON object'],
  ['meta that is no pair', { inputs: { meta: 'model' } }, 'model=large'],
  ['meta in the name of the action', { inputs: { meta: 'sha=0' } }, 'sha is told by the action'],
  ['meta that is too large', { inputs: { meta: `a=${'x'.repeat(17_000)}` } }, '16 kB'],
  ['no url', { inputs: { url: '' } }, 'No url'],
  ['no project', { inputs: { project: '' } }, 'No project'],
  ['no organisation', { inputs: { organisation: '' } }, 'No organisation'],
  ['a url that is none', { inputs: { url: 'gate.example.com' } }, 'such as https://'],
  ['a url without encryption', { inputs: { url: 'http://gate.example.com' } }, 'could read the credential'],
  [
    'a config that is not there',
    { inputs: { config: 'other.yaml' } },
    'other.yaml:1:1: error: the file does not exist',
  ],
  [
    'a config that is no YAML',
    { files: { 'evalgate.yaml': 'a: [' } },
    'evalgate.yaml:1:5: error: is not YAML',
  ],
  [
    'a config of another version',
    { files: { 'evalgate.yaml': 'version: 2' } },
    'evalgate.yaml:1:10: error: version must be 1',
  ],
  [
    'a config with a field that there is not',
    { files: { 'evalgate.yaml': 'version: 1\nprojct: bot' } },
    'evalgate.yaml:2:1: error: projct is not a field here: did you mean project?',
  ],
  [
    'a config that holds an API key',
    { files: { 'evalgate.yaml': `version: 1\nkey: egk_${'a'.repeat(30)}` } },
    'evalgate.yaml:2:6: error: holds an API key',
  ],
  ['an empty JSONL file', manyOf('', ' '), 'answers.jsonl:1:1: error: has no output'],
  ['a line that is not JSON', manyOf(line, '', '{"case": '), 'answers.jsonl:3:1: error: is not JSON'],
  ['a line that is no object', manyOf('7'), 'answers.jsonl:1:1: error: is no output: a line is an object'],
  [
    'a line without a case',
    manyOf(line, '{"output": "a"}'),
    'answers.jsonl:2:1: error: is no output: case must be',
  ],
  [
    'a line with neither output nor error',
    manyOf('{"case": "window"}'),
    'answers.jsonl:1:1: error: is no output: output must be given, or error',
  ],
  [
    'a line whose output is no text',
    manyOf('{"case": "window", "output": 7}'),
    'answers.jsonl:1:1: error: is no output: output must be text',
  ],
])('%s ends the step with 2 and a sentence, and nothing is sent', async (_, job, sentence) => {
  const before = await gate.runCount();
  const inputs = { 'fail-on': 'aborted', ...job.inputs };
  const { code, outputs, commands } = await gate.run({ ...job, inputs });
  expect([code, outputs.verdict, outputs['exit-code'], outputs.passed]).toEqual([2, 'error', '2', 'false']);
  expect(commands.findLast(({ name }) => name === 'error')?.message).toContain(sentence);
  expect(await gate.runCount()).toBe(before);
});

test('a named pipe without a writer is refused', async () => {
  const prepare = (workspace: string) => void spawnSync('mkfifo', [path.join(workspace, 'pipe')]);
  const { code, commands } = await gate.run({ prepare, inputs: { 'output-file': 'pipe' } });
  expect(code).toBe(2);
  expect(commands.at(-1)?.message).toContain('pipe:1:1: error: the output is not a regular file');
});

test('an empty output is judged, and a warning says that it is empty', async () => {
  const one = await gate.run({ files: { 'answer.txt': '' } });
  expect([one.code, one.outputs.verdict]).toEqual([1, 'aborted']);
  expect(one.commands).toContainEqual(
    expect.objectContaining({ name: 'warning', message: expect.stringContaining('answer.txt') }),
  );
  const many = await gate.run(manyOf(line, '{"case": ["refund", "letter"], "output": ""}'));
  expect([many.code, many.outputs['passed-cases']]).toEqual([1, '1']);
  expect(many.commands).toContainEqual(
    expect.objectContaining({
      message: expect.stringContaining(
        'answers.jsonl:2:1: warning: the output is empty, and is judged as it is; so is 1 more',
      ),
    }),
  );
});

const fileOf = (fields: object) => ({ 'evalgate.yaml': JSON.stringify({ version: 1, ...fields }) });
const NONE = { url: '', organisation: '', project: '' };
const ownFile = () =>
  fileOf({ url: world.stage.service.baseUrl, organisation: gate.orgId, project: 'bot', suites: ['a.yaml'] });

test('url, organisation and project may stand in evalgate.yaml; inputs are stronger', async () => {
  const job = { files: ownFile(), inputs: NONE };
  expect((await gate.run(job)).outputs.verdict).toBe('cleared');
  const other = await gate.run({ ...job, inputs: { ...NONE, project: 'other' } });
  expect(other.code).toBe(2);
});

test('url and organisation may come from the environment', async () => {
  const env = { EVALGATE_URL: world.stage.service.baseUrl, EVALGATE_ORG: gate.orgId };
  const { outputs } = await gate.run({ env, inputs: { ...NONE, project: 'bot' } });
  expect(outputs.verdict).toBe('cleared');
});

test('an API key opens the gate where OIDC cannot be had, and is masked', async () => {
  const env = { ACTIONS_ID_TOKEN_REQUEST_URL: '' };
  const { outputs, commands, stdout } = await gate.run({
    env,
    inputs: { 'api-key': gate.apiKey, organisation: '' },
  });
  expect(outputs.verdict).toBe('cleared');
  expect(commands).toContainEqual(expect.objectContaining({ name: 'add-mask', message: gate.apiKey }));
  expect(stdout.split(gate.apiKey)).toHaveLength(2);
});

test.each([
  [
    'of Dependabot',
    'dependabot[bot]',
    'Jobs of Dependabot get secrets of Dependabot only: store the key there',
  ],
  ['of a person', 'octocat', 'secrets: inherit'],
])(
  'an empty api-key in a job %s is named, whether the job could log in by OIDC or not',
  async (_, actor, sentence) => {
    const before = await gate.runCount();
    for (const url of [{}, { ACTIONS_ID_TOKEN_REQUEST_URL: '' }]) {
      const env = { GITHUB_ACTOR: actor, ...url };
      const { code, outputs, commands } = await gate.run({
        env,
        inputs: { 'api-key': ' ', organisation: '' },
      });
      expect([code, outputs.verdict]).toEqual([2, 'error']);
      expect(commands.at(-1)?.message).toContain('Input api-key is empty');
      expect(commands.at(-1)?.message).toContain(sentence);
      expect(commands.at(-1)?.message).toContain('leave the input out');
    }
    expect(await gate.runCount()).toBe(before);
  },
);

test('an API key is not sent to a url that only evalgate.yaml names', async () => {
  const before = await gate.runCount();
  const inputs = { ...NONE, 'api-key': gate.apiKey };
  const { code, commands } = await gate.run({ files: ownFile(), inputs });
  expect(code).toBe(2);
  expect(commands.at(-1)?.message).toContain('no API key is sent there');
  expect(await gate.runCount()).toBe(before);
});

test.each(['workflow_run', 'pull_request_target', 'issue_comment'])(
  'a job of %s takes url, organisation and project from inputs only',
  async (event) => {
    const payload = event === 'pull_request_target' ? pullRequest() : workflowRun();
    const env = { EVALGATE_URL: world.stage.service.baseUrl, EVALGATE_ORG: gate.orgId };
    const all = await gate.run({ event, payload });
    expect(all.outputs.verdict).toBe('cleared');
    for (const name of Object.keys(NONE)) {
      const { code, commands } = await gate.run({
        event,
        payload,
        env,
        files: ownFile(),
        inputs: { [name]: '' },
      });
      expect(code).toBe(2);
      expect(commands.findLast((command) => command.name === 'error')?.message).toContain(`No ${name}`);
    }
  },
);

test('the runner obeys nothing of what a model or a stranger wrote', async () => {
  const own = await world.gate();
  const hostile = '\n::add-mask::30 days\r::error::evil\n##[error]evil\n::set-output name=verdict::cleared';
  const { id } = await own.client.scorers.create('bot', { name: 'Exact', type: 'exact_match', config: {} });
  const name = `evil${hostile}`.slice(0, 190).replaceAll('\n', ' ').replaceAll('\r', ' ');
  await own.client.cases.create(own.suiteId, { name, input: {}, expected: hostile, scorer_id: id });
  const ended = await own.run({
    files: { 'answer.txt': `${BAD}${hostile}` },
    inputs: { details: 'full' },
  });
  expect([ended.code, ended.outputs.verdict]).toEqual([1, 'aborted']);
  const obeyed = ended.commands.filter(({ message }) => message === 'evil' || message === '30 days');
  expect(obeyed).toEqual([]);
  expect(ended.commands.map((command) => command.name)).not.toContain('set-output');
});
