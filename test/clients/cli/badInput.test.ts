import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { json, useHostile } from '../sdk/hostile.ts';
import { aGate, aPlace, type Place } from './cli.ts';

const service = useHostile();
let place: Place;
beforeEach(async () => {
  service.answers(json(200, { data: {} }));
  place = aPlace({ EVALGATE_URL: service.url, EVALGATE_API_KEY: 'egk_of-the-tests' });
  await place.cli(['init', '--offline']);
  place.file('good.txt', 'within 30 days');
});

/** Expects exit code 2, a sentence of what to change, and that nothing was sent. */
async function expectRefused(args: readonly string[], said: string | RegExp, stdin = ''): Promise<void> {
  const { code, stdout, stderr } = await place.cli(args, { stdin });
  expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
  expect(stderr).toMatch(said);
  expect(stderr).not.toMatch(/^\s+at |node:internal|Error:/m);
  expect(service.seen).toEqual([]);
}

/** What stands in the place of a file. */
const FILES: readonly [string, (file: string) => void, RegExp][] = [
  ['nothing', () => undefined, /does not exist: correct its name, or make it/],
  ['a folder', (file) => mkdirSync(file), /is not a regular file/],
  ['a FIFO without a writer', (file) => void execFileSync('mkfifo', [file]), /is not a regular file/],
  ['a link to a device', (file) => symlinkSync('/dev/zero', file), /is not a regular file|outside of/],
  [
    'UTF-16',
    (file) => void place.file(path.basename(file), Buffer.from('\ufeff{"case": "a"}', 'utf16le')),
    /UTF-16|NUL/,
  ],
];

const READING: readonly (readonly string[])[] = [
  ['run', 'returns', '--output', 'bad'],
  ['run', 'returns', '--outputs', 'bad'],
  ['run', 'returns', '--output', 'good.txt', '--input', '@bad'],
  ['try', 'returns', '--output', 'bad'],
  ['try', 'returns', '--outputs', 'bad'],
  ['api', 'POST', '/v1/projects', '-d', '@bad'],
  ['validate', 'bad'],
];

test.each(FILES)(
  '%s in the place of a file is reported by name by every command that reads one, and nothing is sent',
  async (_, make, why) => {
    make(path.join(place.folder, 'bad'));
    const form = new RegExp(`^bad:1:1: error: .*(${why.source})`);
    for (const args of READING) await expectRefused(args, form);
  },
);

/** Without evalgate.yaml most commands work. */
test.each(FILES.slice(1))(
  '%s in the place of evalgate.yaml is reported by every command',
  async (_, make) => {
    const file = path.join(place.folder, 'evalgate.yaml');
    rmSync(file);
    make(file);
    for (const args of [['validate'], ['whoami'], ['doctor']]) {
      const { code, stdout, stderr } = await place.cli(args);
      expect({ args, code }).toEqual({ args, code: 2 });
      expect(stdout + stderr).toContain('evalgate.yaml:1:1: error: ');
      expect(stderr).not.toMatch(/^\s+at |node:internal/m);
    }
  },
);

test('a bad line and an output that is too large are reported with their place, of a file and of stdin', async () => {
  const large = 'x'.repeat(2 * 1_048_576);
  place.file('large.jsonl', `\n${JSON.stringify({ case: 'return-window', output: large })}\n`);
  const good = '{"case": "return-window", "output": "30 days"}';
  for (const command of ['run', 'try']) {
    await expectRefused(
      [command, 'returns', '--outputs', '-'],
      /^stdin:3:1: error: is not JSON/m,
      `${good}\n\n{"case": \n${good}\n`,
    );
    await expectRefused(
      [command, 'returns', '--outputs', 'large.jsonl'],
      /^large\.jsonl:2:1: error: .*1 MB$/m,
    );
    await expectRefused([command, 'returns', '--output', '-'], /^stdin:1:1: error: .*at most 1 MB$/m, large);
  }
});

test('a contradictory command line is reported before anything is sent', async () => {
  const output = ['returns', '--output', 'good.txt'];
  const rows: readonly [readonly string[], string][] = [
    [['returns'], 'Give either --output or --outputs.'],
    [[...output, '--outputs', 'good.txt'], 'Give either --output or --outputs.'],
    [['--output', 'good.txt'], "missing required argument 'suite'"],
    [[...output, '--wait', '5'], '--wait 5 is no duration.'],
    [[...output, '--meta', 'sha'], '--meta sha is no pair.'],
    [[...output, '--input', '[]'], '--input is no JSON object.'],
    [[...output, '--input', '{"n": 9007199254740993}'], '--input n is read as 9007199254740992'],
    [[...output, '--report', 'xml'], '--report xml is no report.'],
    [[...output, '--report', 'json='], '--report json= is no report.'],
    [[...output, '--report', 'constructor'], 'is no report.'],
    [[...output, '--idempotency-key', 'a b'], 'visible characters'],
    [[...output, '--async', '--report', 'json'], '--async gives no verdict'],
    [[...output, '--outptu', 'a'], '(Did you mean --output'],
    [['returns', '--output', '-', '--input', '@-'], 'Only one of --output and --input'],
  ];
  for (const [args, said] of rows) await expectRefused(['run', ...args], said);
  await expectRefused(['rnu'], 'Did you mean run?');
  await expectRefused(['results', '../v1/projects'], '');
});

test('what the service refuses of outputs is reported with its line, and a mistyped suite with those there are', async () => {
  const url = sharedServiceUrl();
  const { apiKey } = await aGate(url);
  const refusal = async (args: readonly string[], stdin = '') => {
    const env = { EVALGATE_URL: url, EVALGATE_API_KEY: apiKey };
    const { code, stdout, stderr } = await place.cli(args, { stdin, env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    return stderr;
  };
  const outputs = ['run', 'returns', '--outputs', '-'];
  expect(
    await refusal(
      outputs,
      '{"case": ["window", "refund"], "output": "30 days"}\n{"case": "window", "output": "again"}\n',
    ),
  ).toMatch(/^ {2}stdin:2:1: error: is one more than the case "window"/m);
  expect(
    await refusal(
      outputs,
      '{"case": "letter", "output": "a"}\n{"case": "window", "output": "a", "metadata": {"latency_ms": "a"}}\n',
    ),
  ).toMatch(/^ {2}stdin:2:1: error: metadata\.latency_ms must be a number/m);
  expect(await refusal(['run', 'retruns', '--output', 'good.txt'])).toContain(
    'Suites that you may run: returns',
  );
  for (const args of [
    ['trends', 'no-such'],
    ['wait', 'run_none'],
    ['results', '..'],
  ])
    expect(await refusal(args)).not.toBe('');
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
