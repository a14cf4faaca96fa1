import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { workflowRun } from './payloads.ts';
import { GOOD, type Job, useGate, useWorld } from './world.ts';

const world = useWorld();
const gate = useGate(world);

const line = JSON.stringify({ case: 'window', output: GOOD });
const manyOf = (...lines: string[]) => ({
  inputs: { 'output-file': '', 'outputs-file': 'answers.jsonl' },
  files: { 'answers.jsonl': lines.join('\n') },
});

test.each<[string, Job, string]>([
  [
    'a command that it does not know',
    { inputs: { command: 'delete' } },
    'command holds "delete": it knows run, plan, push, accept',
  ],
  [
    'an input with other letters',
    { inputs: { allow_weaker: 'false' } },
    'Input allow_weaker is unknown: write allow-weaker',
  ],
  ['an input without a letter', { inputs: { waiver: 'false' } }, 'Input waiver is unknown: write waivers'],
  ['no suite', { inputs: { suite: '' } }, 'suite is missing'],
  ['no file', { inputs: { 'output-file': '' } }, 'either output-file or outputs-file'],
  [
    'a file that is not there',
    { inputs: { 'output-file': 'none.txt' } },
    'none.txt:1:1: error: the output does not exist',
  ],
  ['a file of another encoding', { files: { 'answer.txt': Buffer.from('yes', 'utf16le') } }, 'not UTF-8'],
  ['an unknown word in fail-on', { inputs: { 'fail-on': 'aborted,eror' } }, 'fail-on holds "eror"'],
  ['an unknown word in on-fork', { inputs: { 'on-fork': 'ignore' } }, 'skip, fail'],
  ['a wait that is none', { inputs: { wait: '30 minutes' } }, '90s, 15m or 1h'],
  ['a pr-number that is none', { inputs: { 'pr-number': '2/../3' } }, 'pr-number'],
  [
    'an input whose number a JSON writer would change',
    { inputs: { input: '{"n": 9007199254740993}' } },
    'n is read as',
  ],
  ['an input that is no object', { inputs: { input: '[1]' } }, 'no JSON object'],
  ['meta in the name of the action', { inputs: { meta: 'sha=0' } }, 'sha is set by the action'],
  ['meta that is too large', { inputs: { meta: `a=${'x'.repeat(17_000)}` } }, '16 kB'],
  ['no url', { inputs: { url: '' } }, 'No url'],
  ['no project', { inputs: { project: '' } }, 'No project'],
  ['no organisation', { inputs: { organisation: '' } }, 'No organisation'],
  ['a url that is none', { inputs: { url: 'gate.example.com' } }, 'such as https://'],
  ['a url without encryption', { inputs: { url: 'http://gate.example.com' } }, 'could read the credential'],
  [
    'a config that is no YAML',
    { files: { 'evalgate.yaml': 'a: [' } },
    'evalgate.yaml:1:5: error: is not YAML',
  ],
  [
    'a config that holds an API key',
    { files: { 'evalgate.yaml': `version: 1\nkey: egk_${'a'.repeat(30)}` } },
    'evalgate.yaml:2:6: error: holds an API key',
  ],
  [
    'a line without a case',
    manyOf(line, '{"output": "a"}'),
    'answers.jsonl:2:1: error: is no output: case must be',
  ],
  ['an outputs-map of one answer', { inputs: { 'outputs-map': 'case=$.id' } }, 'is for outputs-file'],
  [
    'an outputs-map without an output',
    { ...manyOf(line), inputs: { ...manyOf(line).inputs, 'outputs-map': 'case=$.id' } },
    'Input outputs-map: output is missing. Such as case=$.id,output=',
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

test('an empty output is judged, with a warning', async () => {
  const one = await gate.run({ files: { 'answer.txt': '' } });
  expect([one.code, one.outputs.verdict]).toEqual([1, 'aborted']);
  expect(one.commands).toContainEqual(
    expect.objectContaining({ name: 'warning', message: expect.stringContaining('answer.txt') }),
  );
});

const fileOf = (fields: object) => ({ 'evalgate.yaml': JSON.stringify({ version: 1, ...fields }) });
const NONE = { url: '', organisation: '', project: '' };
const ownFile = () =>
  fileOf({ url: world.url, organisation: gate.orgId, project: 'bot', suites: ['a.yaml'] });

test('url, organisation and project are read from evalgate.yaml; inputs are stronger', async () => {
  const job = { files: ownFile(), inputs: NONE };
  expect((await gate.run(job)).outputs.verdict).toBe('cleared');
  const other = await gate.run({ ...job, inputs: { ...NONE, project: 'other' } });
  expect(other.code).toBe(2);
});

test('url and organisation may come from the environment, but only from inputs where a stranger began the job', async () => {
  const env = { EVALGATE_URL: world.url, EVALGATE_ORG: gate.orgId };
  const { outputs } = await gate.run({ env, inputs: { ...NONE, project: 'bot' } });
  expect(outputs.verdict).toBe('cleared');
  const job = { event: 'workflow_run', payload: workflowRun(), env, files: ownFile() };
  for (const name of Object.keys(NONE)) {
    const { code, commands } = await gate.run({ ...job, inputs: { [name]: '' } });
    expect(code).toBe(2);
    expect(commands.findLast((command) => command.name === 'error')?.message).toContain(`No ${name}`);
  }
});
