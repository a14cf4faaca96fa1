import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { aGate, aPlace, type Gated, type Place } from './cli.ts';

const url = sharedServiceUrl();
let gated: Gated;
let place: Place;

beforeAll(async () => {
  gated = await aGate(url);
  place = aPlace({ EVALGATE_URL: url, EVALGATE_API_KEY: gated.apiKey });
  place.file('good.txt', 'within 30 days');
});
afterAll(() => place.remove());

const runCount = async () => (await gated.gate.runs.list(gated.suiteId).page()).pagination?.total;

/** Expects exit code 2, a sentence, and that nothing was sent. */
async function expectRefused(args: readonly string[], said: string | RegExp, stdin = ''): Promise<void> {
  const { code, stdout, stderr } = await place.cli(['run', ...args], { stdin });
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: '',
    stderr: typeof said === 'string' ? expect.stringContaining(said) : expect.stringMatching(said),
  });
  expect(stderr).not.toMatch(/^\s+at /m);
}

test('a file that can not be read is reported with the reason', async () => {
  mkdirSync(path.join(place.folder, 'folder'));
  place.file('secret.txt', 'x');
  chmodSync(path.join(place.folder, 'secret.txt'), 0);
  symlinkSync('nowhere', path.join(place.folder, 'dangling.txt'));
  execFileSync('mkfifo', [path.join(place.folder, 'fifo')]);
  await expectRefused(
    ['returns', '--output', 'none.txt'],
    'none.txt:1:1: error: the output does not exist: correct its name, or make it',
  );
  await expectRefused(
    ['returns', '--output', 'dangling.txt'],
    'dangling.txt:1:1: error: the output does not exist',
  );
  await expectRefused(
    ['returns', '--output', 'folder'],
    'folder:1:1: error: the output is not a regular file',
  );
  await expectRefused(['returns', '--output', 'fifo'], 'fifo:1:1: error: the output is not a regular file');
  await expectRefused(
    ['returns', '--outputs', '/dev/zero'],
    '/dev/zero:1:1: error: the file is not a regular file',
  );
  // root can read every file.
  if (process.getuid?.() !== 0) {
    await expectRefused(
      ['returns', '--output', 'secret.txt'],
      'the output may not be read: change its permissions',
    );
  }
});

test('UTF-16 is refused, other bytes are judged with U+FFFD and a warning, and a byte order mark is no part of the text', async () => {
  const text = 'within 30 days';
  place.file('utf16.txt', Buffer.from(`\ufeff${text}`, 'utf16le'));
  place.file('utf16-unmarked.txt', Buffer.from(text, 'utf16le'));
  place.file('latin1.txt', Buffer.from('für 30 days', 'latin1'));
  place.file('marked.jsonl', `\ufeff{"case": "window", "output": "30 days"}\n`);
  await expectRefused(
    ['returns', '--output', 'utf16.txt'],
    'utf16.txt:1:1: error: the output is not UTF-8 but UTF-16: save it as UTF-8',
  );
  await expectRefused(['returns', '--output', 'utf16-unmarked.txt'], 'is not UTF-8 but UTF-16');
  const judged = await place.cli(['run', 'returns', '--output', 'latin1.txt']);
  expect(judged.stderr).toContain('latin1.txt:1:1: warning: the output holds half a character or bytes');
  expect(await place.cli(['run', 'returns', '--outputs', 'marked.jsonl'])).toMatchObject({ code: 1 });
});

test('a bad line of outputs is reported by number, and nothing is sent', async () => {
  const before = await runCount();
  const good = '{"case": "window", "output": "30 days"}';
  for (const [line, said] of [
    ['{"case": "window", "output": ', 'is not JSON'],
    ['["window"]', 'is no output: a line is an object'],
    ['null', 'is no output: a line is an object'],
    ['{"output": "30 days"}', 'is no output: case must be the key of a case'],
    ['{"case": [], "output": "30 days"}', 'is no output: case must be the key of a case'],
    ['{"case": "window"}', 'is no output: output must be given, or error'],
    ['{"case": "window", "output": null}', 'is no output: output must be text'],
    ['{"case": "window", "output": "a", "error": "b"}', 'is no output: error must not stand beside output'],
  ]) {
    await expectRefused(
      ['returns', '--outputs', '-'],
      `stdin:3:1: error: ${said}`,
      `${good}\n\n${line}\n${good}\n`,
    );
  }
  for (const [value, said] of [
    ['9007199254740993', 'metadata.n is read as 9007199254740992: write that, or a text'],
    ['1e999', 'holds a number that is too large'],
    ['"\\ud800"', 'holds half a character'],
  ]) {
    const line = `{"case": "window", "output": "30 days", "metadata": {"n": ${value}}}\n`;
    await expectRefused(['returns', '--outputs', '-'], `stdin:2:1: error: ${said}`, `\n${line}`);
  }
  await expectRefused(['returns', '--outputs', '-'], 'stdin:1:1: error: has no output', '\n\n');
  expect(await runCount()).toBe(before);
});

test('what the service refuses of outputs is reported with its line', async () => {
  const twice =
    '{"case": ["window", "refund"], "output": "30 days"}\n{"case": "window", "output": "again"}\n';
  await expectRefused(
    ['returns', '--outputs', '-'],
    /^ {2}stdin:2:1: error: is one more than the case "window"/m,
    twice,
  );
  const withWords =
    '{"case": "letter", "output": "a"}\n{"case": "window", "output": "a", "metadata": {"latency_ms": "a"}}\n';
  await expectRefused(
    ['returns', '--outputs', '-'],
    /^ {2}stdin:2:1: error: metadata\.latency_ms must be a number/m,
    withWords,
  );
});

test('an output of more than 1 MB is refused, and one of 1 MB is judged', async () => {
  place.file('large.txt', 'x'.repeat(2 * 1_048_576));
  await expectRefused(
    ['returns', '--output', 'large.txt'],
    'large.txt:1:1: error: the output is too large: at most 1 MB',
  );
  place.file('fits.txt', 'x'.repeat(1_048_576));
  expect(await place.cli(['run', 'returns', '--output', 'fits.txt'])).toMatchObject({ code: 1 });
});

test('a contradictory command line is reported before anything is sent', async () => {
  const before = await runCount();
  const output = ['--output', 'good.txt'];
  await expectRefused(['returns'], 'Give either --output or --outputs.');
  await expectRefused(['returns', ...output, '--outputs', 'good.txt'], 'Give either --output or --outputs.');
  await expectRefused([...output], "missing required argument 'suite'");
  await expectRefused(['returns', ...output, '--wait', '5'], '--wait 5 is no duration.');
  await expectRefused(['returns', ...output, '--meta', 'sha'], '--meta sha is no pair.');
  await expectRefused(['returns', ...output, '--input', '[]'], '--input is no JSON object.');
  await expectRefused(
    ['returns', ...output, '--input', '{"n": 9007199254740993}'],
    '--input n is read as 9007199254740992',
  );
  await expectRefused(
    ['returns', ...output, '--input', '@none.json'],
    'none.json:1:1: error: the file does not exist',
  );
  await expectRefused(['returns', ...output, '--report', 'xml'], '--report xml is no report.');
  await expectRefused(['returns', ...output, '--report', 'json='], '--report json= is no report.');
  await expectRefused(['returns', ...output, '--report', 'constructor'], 'is no report.');
  await expectRefused(['returns', ...output, '--idempotency-key', 'a b'], 'visible characters');
  await expectRefused(['returns', ...output, '--async', '--report', 'json'], '--async gives no verdict');
  await expectRefused(['returns', ...output, '--outptu', 'a'], '(Did you mean --output');
  await expectRefused(['returns', '--output', '-', '--input', '@-'], 'Only one of --output and --input');
  expect(await runCount()).toBe(before);
});

test('a mistyped suite gets those that there are, and a mistyped command the closest', async () => {
  await expectRefused(['retruns', '--output', 'good.txt'], 'Suites that you may run: returns');
  const typo = await place.cli(['rnu']);
  expect(typo).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining('Did you mean run?') });
  expect(await place.cli(['trends', 'no-such'])).toMatchObject({ code: 2 });
  expect(await place.cli(['wait', 'run_none'])).toMatchObject({ code: 2 });
  expect(await place.cli(['results', '../v1/projects'])).toMatchObject({ code: 2 });
  expect(await place.cli(['results', '..'])).toMatchObject({ code: 2 });
});

test('help and version are 0 and data, and the exit codes have their page', async () => {
  for (const args of [['--help'], ['run', '--help'], ['help', 'run'], ['help']]) {
    const { code, stdout, stderr } = await place.cli(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Examples:\n/);
  }
  expect(await place.cli(['--version'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  });
  expect((await place.cli(['help', 'exit-codes'])).stdout).toContain('by its verdict, and nothing else');
  expect(await place.cli(['help', 'nothing'])).toMatchObject({ code: 2 });
});
