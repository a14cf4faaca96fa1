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

test('a file that can not be read is told with the reason', async () => {
  mkdirSync(path.join(place.folder, 'folder'));
  place.file('secret.txt', 'x');
  chmodSync(path.join(place.folder, 'secret.txt'), 0);
  symlinkSync('nowhere', path.join(place.folder, 'dangling.txt'));
  execFileSync('mkfifo', [path.join(place.folder, 'fifo')]);
  await expectRefused(['returns', '--output', 'none.txt'], "none.txt can't be read: there is no such file.");
  await expectRefused(['returns', '--output', 'dangling.txt'], 'there is no such file');
  await expectRefused(['returns', '--output', 'folder'], 'folder is no regular file.');
  await expectRefused(['returns', '--output', 'fifo'], 'fifo is no regular file.');
  await expectRefused(['returns', '--outputs', '/dev/zero'], 'is no regular file.');
  // Whoever is root reads everything.
  if (process.getuid?.() !== 0) {
    await expectRefused(['returns', '--output', 'secret.txt'], 'you may not access it');
  }
});

test('what is not UTF-8 is refused, and a byte order mark is no part of the text', async () => {
  const text = 'within 30 days';
  place.file('utf16.txt', Buffer.from(`\ufeff${text}`, 'utf16le'));
  place.file('utf16-unmarked.txt', Buffer.from(text, 'utf16le'));
  place.file('latin1.txt', Buffer.from('für 30 days', 'latin1'));
  place.file('marked.jsonl', `\ufeff{"case": "window", "output": "30 days"}\n`);
  await expectRefused(['returns', '--output', 'utf16.txt'], 'utf16.txt is UTF-16.');
  await expectRefused(['returns', '--output', 'utf16-unmarked.txt'], 'is UTF-16.');
  await expectRefused(['returns', '--output', 'latin1.txt'], 'latin1.txt is not UTF-8.');
  expect(await place.cli(['run', 'returns', '--outputs', 'marked.jsonl'])).toMatchObject({ code: 1 });
});

test('a bad line of outputs is told by its number, and nothing is sent', async () => {
  const before = await runCount();
  const good = '{"case": "window", "output": "30 days"}';
  for (const [line, said] of [
    ['{"case": "window", "output": ', 'it is not JSON'],
    ['["window"]', 'it is no JSON object'],
    ['null', 'it is no JSON object'],
    ['{"output": "30 days"}', '"case" is no key'],
    ['{"case": [], "output": "30 days"}', '"case" is no key'],
    ['{"case": "window"}', '"output" is no text'],
    ['{"case": "window", "output": null}', '"output" is no text'],
    ['{"case": "window", "output": "a", "error": "b"}', '"error" stands beside "output"'],
  ]) {
    await expectRefused(
      ['returns', '--outputs', '-'],
      `stdin, line 3: ${said}`,
      `${good}\n\n${line}\n${good}\n`,
    );
  }
  for (const [value, said] of [
    ['9007199254740993', 'metadata.n is read as 9007199254740992: write that, or a text.'],
    ['1e999', 'holds a number that is too large'],
    ['"\\ud800"', 'holds half a character'],
  ]) {
    const line = `{"case": "window", "output": "30 days", "metadata": {"n": ${value}}}\n`;
    await expectRefused(['returns', '--outputs', '-'], `stdin, line 2 can't be sent: ${said}`, `\n${line}`);
  }
  await expectRefused(['returns', '--outputs', '-'], 'stdin holds no output', '\n\n');
  expect(await runCount()).toBe(before);
});

test('what the service refuses of outputs is told by the line', async () => {
  const twice =
    '{"case": ["window", "refund"], "output": "30 days"}\n{"case": "window", "output": "again"}\n';
  await expectRefused(
    ['returns', '--outputs', '-'],
    /outputs\.2 \(line 2\): is one more than the case "window"/,
    twice,
  );
  const withExpected =
    '{"case": "letter", "output": "a"}\n{"case": "window", "output": "a", "expected": "a"}\n';
  await expectRefused(['returns', '--outputs', '-'], /\(line 2\): the bar lives on the server/, withExpected);
});

test('an output of more than 1 MB is refused by the service, and one of 1 MB is judged', async () => {
  place.file('large.txt', 'x'.repeat(2 * 1_048_576));
  await expectRefused(['returns', '--output', 'large.txt'], 'output: at most 1 MB');
  place.file('fits.txt', 'x'.repeat(1_048_576));
  expect(await place.cli(['run', 'returns', '--output', 'fits.txt'])).toMatchObject({ code: 1 });
});

test('a command line that can not be meant is told before anything is sent', async () => {
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
    "--input can't be sent: n is read as 9007199254740992",
  );
  await expectRefused(['returns', ...output, '--input', '@none.json'], 'there is no such file');
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
