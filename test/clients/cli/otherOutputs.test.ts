import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { writeFiles } from '../files/repository.ts';
import { useGate, usePlace } from './cli.ts';

const url = sharedServiceUrl();
const gated = useGate();
const place = usePlace(() => ({ EVALGATE_URL: url, EVALGATE_API_KEY: gated.apiKey }));
writeFiles(place.folder, {
  'evalgate.yaml': 'version: 1\nproject: bot\nsuites: [evals/*.suite.yaml]\n',
  'evals/s.suite.yaml': [
    'version: 1',
    'suite: answers',
    'scorers: { yes: { type: contains, config: { values: ["yes"] } } }',
    'cases:',
    '  - { key: one, input: { q: "1" }, scorer: yes }',
    '  - { key: one-again, input: { q: "1" }, scorer: yes }',
    '  - { key: two, input: { q: "2" }, scorer: yes, sample_count: 2 }',
    '',
  ].join('\n'),
});

async function tried(name: string, content: unknown, ...options: string[]) {
  place.file(name, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  const { code, stdout, stderr } = await place.cli([
    'try',
    'answers',
    '--outputs',
    name,
    '--json',
    ...options,
  ]);
  const scores = (code ?? 3) < 2 ? JSON.parse(stdout).scores : [];
  const passed = scores.map(({ key, passed }: { key: string; passed: boolean }) => `${key} ${passed}`);
  return { code, stderr, passed };
}

const aResult = (q: string, output: unknown, fields: object = {}) => ({
  provider: { id: 'openai:gpt', label: '' },
  prompt: { raw: '{{q}}', label: 'ask' },
  promptIdx: 0,

  vars: { q },
  testCase: { vars: { q } },
  success: false,
  failureReason: 1,
  error: 'an assertion failed',
  latencyMs: 12,
  cost: 0.001,
  response: { output, tokenUsage: { prompt: 3, completion: 4 } },
  ...fields,
});
const RESULTS = [aResult('1', 'yes'), aResult('2', 'yes'), aResult('2', { a: 'yes' })];
const ALL = ['one true', 'one-again true', 'two true'];

test('results of promptfoo, as JSON and line by line, answer the cases whose input their variables are', async () => {
  const json = { evalId: 'e', results: { version: 3, results: RESULTS, stats: {} }, config: {} };
  expect(await tried('results.json', json)).toEqual({ code: 0, stderr: '', passed: ALL });
  const lines = RESULTS.map((one) => `${JSON.stringify(one)}\n`).join('');
  expect(await tried('results.jsonl', lines)).toEqual({ code: 0, stderr: '', passed: ALL });
});

test('results of promptfoo of several providers, or of other questions, are refused or left out with a sentence', async () => {
  const both = [...RESULTS, aResult('1', 'yes', { provider: { id: 'anthropic:claude' } })];
  const several = await tried('both.json', { results: { results: both } });
  expect(several).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('results of 2 providers or prompts'),
  });
  const more = await tried('more.json', { results: { results: [...RESULTS, aResult('9', 'no')] } });
  expect(more).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("that are no case's input, and is left out"),
  });
  const other = await tried('other.json', { results: { results: [aResult('9', 'no')] } });
  expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('--map') });
  const rounded = JSON.stringify(aResult('1', { a: 1 })).replace('{"a":1}', '{"a":12345678901234567890}');
  expect(await tried('rounded.jsonl', rounded)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is read as'),
  });
});

test('a call that failed in promptfoo is an error, not an output', async () => {
  const failed = aResult('1', undefined, { response: { error: '429' }, failureReason: 2, error: '429' });
  place.file('failed.jsonl', [failed, ...RESULTS.slice(1)].map((one) => `${JSON.stringify(one)}\n`).join(''));
  const { code, stdout } = await place.cli(['try', 'answers', '--outputs', 'failed.jsonl']);
  expect({ code, stdout }).toEqual({ code: 3, stdout: expect.stringContaining('429') });
});

test("a log of Inspect has its samples' ids as keys, its epochs as samples and its errors as errors", async () => {
  const message = (content: unknown) => ({ choices: [{ message: { role: 'assistant', content } }] });
  const samples = [
    { id: 'one', epoch: 1, output: { completion: 'yes', ...message('yes') }, total_time: 1.5 },
    { id: 'one-again', epoch: 1, output: message([{ type: 'reasoning' }, { type: 'text', text: 'yes' }]) },
    { id: 'two', epoch: 1, output: { completion: 'yes' } },
    { id: 'two', epoch: 2, output: { completion: 'yes' }, error: { message: 'tool died' } },
  ];
  const log = { version: 2, status: 'success', eval: { task: 't' }, samples };
  const { code, stderr } = await tried('log.json', log);
  expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
  const healthy = samples.map(({ error: _, ...sample }) => sample);
  expect(await tried('log.json', { ...log, samples: healthy })).toEqual({ code: 0, stderr: '', passed: ALL });
});

test('--map reads any lines, lists and tables, and one output may answer several cases', async () => {
  const items = [
    { ids: ['one', 'one-again'], r: { t: 'yes' } },
    { ids: 'two', r: { t: 'yes' } },
  ];
  const twice = [...items, items[1]];
  const map = ['--map', "case=$.ids,output=$.r['t']"];
  expect(await tried('list.json', twice, ...map)).toEqual({ code: 0, stderr: '', passed: ALL });
  const lines = twice.map((one) => JSON.stringify(one)).join('\n');
  expect(await tried('lines.jsonl', lines, ...map)).toEqual({ code: 0, stderr: '', passed: ALL });
  const table = 'id,answer,ms,why\none,"a ""yes"",\nreally",5,\none-again,,,broken\ntwo,yes,,\ntwo,yes,,\n';
  const { code, stderr } = await tried(
    't.csv',
    table,
    '--map',
    'case=id,output=answer,latency_ms=ms,error=why',
  );
  expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
});

test.each([
  ['nothing', ''],
  ['an unknown field', 'key=$.id,output=$.o'],
  ['no case', 'output=$.o'],
  ['no output', 'case=$.id'],
  ['a field twice', 'case=$.id,output=$.o,output=$.p'],
  ['a broken path', 'case=$.[,output=$.o'],
])('a --map of %s is a sentence and exit code 2', async (_, map) => {
  expect(await tried('o.jsonl', '{}', '--map', map)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^evalgate: --map: .*\nSuch as --map/),
  });
});

test('a line without what --map names is an error with its place', async () => {
  const { code, stderr } = await tried(
    'o.jsonl',
    '{"id": "one", "o": "yes"}\n{"id": "two"}\n',
    '--map',
    'case=$.id,output=$.o',
  );
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/^o\.jsonl:2:1: error: has nothing at \$\.o \(output\)/),
  });
});

test('keys that fit no case are listed beside those of the suite, with the nearest, by try and by run', async () => {
  place.file('typo.jsonl', '{"case": "windo", "output": "30 days"}\n{"case": "zzzzzzzz", "output": ""}\n');
  const { code, stderr } = await place.cli(['run', 'returns', '--outputs', 'typo.jsonl']);
  expect(code).toBe(2);
  expect(stderr).toContain('windo is no case of the suite: is it window?');
  expect(stderr).toContain('no case of the suite: zzzzzzzz. Its cases: window, refund, letter');
  place.file('some.jsonl', '{"case": "windo", "output": ""}\n{"case": "refund", "output": "30 days"}\n');
  const some = await place.cli(['run', 'returns', '--outputs', 'some.jsonl']);
  expect(some).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('windo is no case of the suite: is it window?'),
  });
  const here = await tried('typo.jsonl', '{"case": "on", "output": "yes"}\n');
  expect(here).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('on is no case of the suite: is it one?'),
  });
});

test('results of promptfoo are run with the inputs of the suite at the service', async () => {
  const [first] = (await gated.gate.cases.list(gated.suiteId).page()).data;
  await gated.gate.cases.update(first!.id, { input: { q: 'How long?' } });
  place.file('results.jsonl', `${JSON.stringify(aResult('How long?', '30 days'))}\n`);
  const { stdout } = await place.cli([
    'run',
    'returns',
    '--outputs',
    'results.jsonl',
    '--report',
    'ctrf=c.json',
    '--report',
    'otel=o.json',
  ]);
  expect(stdout).toContain('✓ 1 case passed');
  const read = (name: string) => JSON.parse(readFileSync(path.join(place.folder, name), 'utf8'));
  expect(read('c.json').results.summary).toMatchObject({ tests: 4, passed: 1, failed: 3, other: 0 });
  expect(read('o.json').resourceLogs[0].scopeLogs[0].logRecords).toHaveLength(3);
});
