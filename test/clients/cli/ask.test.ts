import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { eventually } from '../../support/service.ts';
import { useGate, usePlace } from './cli.ts';
import { onTerminal, startOnTerminal } from './onTerminal.ts';

const url = sharedServiceUrl();
const gated = useGate();
const place = usePlace(() => ({ EVALGATE_URL: url, EVALGATE_API_KEY: gated.apiKey }));
beforeAll(async () => {
  const id = (await gated.gate.cases.list(gated.suiteId).page()).data[0]!.id;
  await gated.gate.cases.update(id, { input: { q: 'How long?' }, sample_count: 2, expected: 'secret' });
});

const file = () => path.join(place.folder, 'outputs.jsonl');
beforeEach(() => rmSync(file(), { force: true }));
const read = () =>
  readFileSync(file(), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
const ask = (script: string, ...options: string[]) =>
  place.cli(['ask', 'returns', ...options, '--', 'sh', '-c', script]);

const INPUTS = [
  { case: 'window', input: { q: 'How long?' }, samples: 2 },
  { case: 'refund', input: {}, samples: 1 },
  { case: 'letter', input: {}, samples: 1 },
];

test('cases prints inputs, one case a line or as one list, and no expected answer', async () => {
  const lines = INPUTS.map((one) => `${JSON.stringify(one)}\n`).join('');
  expect(await place.cli(['cases', 'returns'])).toEqual({ code: 0, stdout: lines, stderr: '' });
  const { stdout } = await place.cli(['cases', gated.suiteId, '--json']);
  expect(JSON.parse(stdout)).toEqual(INPUTS);
});

test('scope run finds cases by the slug of the suite once it shows its inputs and the project is named', async () => {
  const { key } = await gated.gate.apiKeys.create({ name: 'CI', scope: 'run' });
  const env = { EVALGATE_API_KEY: key };
  const unnamed = await place.cli(['cases', 'returns'], { env });
  expect(unnamed).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--project <slug>') });
  const named = ['cases', 'returns', '--project', 'bot'];
  const hidden = await place.cli(named, { env });
  expect(hidden).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('show_inputs') });
  await gated.gate.suites.update('bot', 'returns', { show_inputs: true });
  expect(await place.cli(named, { env })).toMatchObject({ code: 0, stderr: '' });
});

test('a command answers each case as often as it takes outputs, by its input, and the run is gated', async () => {
  const script = 'cat; echo " $EVALGATE_CASE $EVALGATE_SAMPLE 30 days $EVALGATE_API_KEY"';
  const { code, stdout } = await ask(script, '--run', '--jobs', '1');
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('✓ 3 cases passed') });
  expect(read().map(({ case: key, output }) => [key, output])).toEqual([
    ['window', '{"q":"How long?"} window 1 30 days '],
    ['window', '{"q":"How long?"} window 2 30 days '],
    ['refund', '{} refund 1 30 days '],
    ['letter', '{} letter 1 30 days '],
  ]);
  expect(read()[0].metadata).toEqual({
    latency_ms: expect.any(Number),
    question_digest: expect.any(String),
    input_digest: expect.any(String),
  });
});

const FAILING: readonly [string, string, object][] = [
  ['hangs, with what it has started', 'sleep 60 & sleep 60', { error: 'no answer within 0.3 s' }],
  ['crashes', 'echo so >&2; echo why sk-1234567 >&2; exit 7', { error: 'exit code 7: why sk-…' }],
  ['kills itself', 'kill -9 $$', { error: 'ended by SIGKILL' }],
  [
    'prints 2 MB',
    'head -c 2000000 /dev/zero',
    { error: expect.stringMatching(/^it printed more than 1 MB/) },
  ],
  ['prints nothing', 'true', { output: '' }],
  ['prints half a character', "printf '30 days \\342\\202'", { output: '30 days \ufffd' }],
  ['leaves a process behind that holds its pipe', 'sleep 60 & echo 30 days', { output: '30 days' }],
  ['does not read its input', 'exec <&-; echo 30 days', { output: '30 days' }],
];

test.each(FAILING)('a command that %s has an output or an error of its own', async (_, script, said) => {
  const other = `[ "$EVALGATE_CASE" = refund ] || { echo fine; exit; }; ${script}`;
  const timeout = script.startsWith('sleep 60 & sleep') ? '0.3s' : '60s';
  expect((await ask(other, '--timeout', timeout)).code).toBe(0);
  expect(read().find(({ case: key }) => key === 'refund')).toMatchObject({ case: 'refund', ...said });
  // A busy machine may leave no answer its time.
  const ofOthers = [{ output: 'fine' }, ...('error' in said ? [said] : [])].map((one) =>
    expect.objectContaining(one),
  );
  for (const line of read().filter(({ case: key }) => key !== 'refund'))
    expect(ofOthers).toContainEqual(line);
});

test('an existing file is overwritten only with --overwrite, and not by a command that can not be started', async () => {
  await ask('echo before');
  const before = readFileSync(file(), 'utf8');
  expect(await ask('echo after')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('outputs.jsonl exists already, and the command was not run.'),
  });
  const missing = await place.cli(['ask', 'returns', '--overwrite', '--', './none']);
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining("./none can't be started") });
  expect(readFileSync(file(), 'utf8')).toBe(before);
  await ask('echo after', '--overwrite');
  expect(new Set(read().map(({ output }) => output))).toEqual(new Set(['after']));
});

const outputs = () =>
  read()
    .map(({ case: key, output }) => `${key} ${output}`)
    .sort();
const first = async () => (await gated.gate.cases.list(gated.suiteId).page()).data[0]!.id;
const bySays = (...options: string[]) => place.cli(['ask', 'returns', ...options, '--', 'sh', 'says.sh']);

test('--resume asks again what failed, what was cut off, and whose input has changed', async () => {
  place.file('says.sh', '[ $EVALGATE_CASE = letter ] && exit 1; echo before\n');
  await bySays();
  const lines = readFileSync(file(), 'utf8');
  place.file('outputs.jsonl', `${lines.replace('"case":"refund"', '"case":"gone"')}{"case":"refu`);
  const id = await first();
  place.file('says.sh', 'echo after\n');
  await bySays('--resume');
  expect(outputs()).toEqual(['letter after', 'refund after', 'window before', 'window before']);
  await gated.gate.cases.update(id, { input: { q: 'Changed?' } });
  place.file('says.sh', 'echo last\n');
  await bySays('--resume');
  expect(outputs()).toEqual(['letter after', 'refund after', 'window last', 'window last']);
  await gated.gate.cases.update(id, { input: { q: 'How long?' } });
});

test('--resume neither mixes answers of two commands nor drops those of another suite or program', async () => {
  await ask('echo before');
  const before = readFileSync(file(), 'utf8');
  const refused = {
    code: 2,
    stderr: expect.stringContaining(
      'No output in outputs.jsonl is of this command and of what this suite asks',
    ),
  };
  expect(await ask('echo other', '--resume')).toMatchObject(refused);
  expect(readFileSync(file(), 'utf8')).toBe(before);
  place.file('outputs.jsonl', '{"case": "window", "output": "by hand"}\n');
  expect(await ask('echo before', '--resume')).toMatchObject(refused);
  expect(readFileSync(file(), 'utf8')).toBe('{"case": "window", "output": "by hand"}\n');
});

test.each<[string, readonly string[], string]>([
  ['no command', ['ask', 'returns'], 'Such as evalgate ask returns -- python answer.py'],
  ['no suite', ['ask', 'none', '--', 'true'], 'There is no suite none.'],
  ['--jobs 0', ['ask', 'returns', '--jobs', '0', '--', 'true'], 'from 1 to 64'],
  ['--timeout soon', ['ask', 'returns', '--timeout', 'soon', '--', 'true'], 'Such as --timeout 90s'],
  ['two ways', ['ask', 'returns', '--resume', '--overwrite', '--', 'true'], 'Give either'],
  ['--report without a run', ['ask', 'returns', '--report', 'junit', '--', 'true'], 'Add --run'],
  ['--out in no folder', ['ask', 'returns', '--out', 'none/x', '--', 'true'], 'there is no such file'],
  ['commands that all fail', ['ask', 'returns', '--', 'false'], 'No command gave an answer.'],
])('%s is a sentence and exit code 2', async (_, args, sentence) => {
  expect(await place.cli(args)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(sentence),
  });
});

onTerminal('Ctrl-C keeps what was answered, ends what runs, and --resume goes on with it', async () => {
  place.file(
    'slow.sh',
    '[ $EVALGATE_CASE = letter ] && [ ! -e go ] && { touch waits; sleep 60; }; echo 30 days\n',
  );
  const asking = startOnTerminal(place, 'ask returns --jobs 1 -- sh slow.sh');
  await eventually(() => existsSync(path.join(place.folder, 'waits')));
  asking.type('\u0003');
  const { code, said } = await asking.ended;
  expect({ code, said }).toEqual({
    code: 130,
    said: expect.stringContaining('3 of 4 outputs are in outputs.jsonl: --resume asks for the others.'),
  });
  place.file('go', '');
  const before = read();
  expect(await place.cli(['ask', 'returns', '--resume', '--', 'sh', 'slow.sh'])).toMatchObject({ code: 0 });
  expect(read()).toHaveLength(4);
  expect(read().slice(0, 3)).toEqual(before);
});
