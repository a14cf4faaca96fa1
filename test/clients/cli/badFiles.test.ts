import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Hostile, json, startHostile } from '../sdk/hostile.ts';
import { aPlace, type Place } from './cli.ts';

let service: Hostile;
let place: Place;
beforeAll(async () => {
  service = await startHostile();
});
beforeEach(async () => {
  service.answers(json(200, { data: {} }));
  place = aPlace({ EVALGATE_URL: service.url, EVALGATE_API_KEY: 'egk_of-the-tests' });
  await place.cli(['init']);
});
afterAll(() => service.stop());

type Make = (file: string) => void;

/** What stands in the place of a file. */
const FILES: readonly [string, Make, RegExp][] = [
  ['nothing', () => undefined, /does not exist: correct its name, or make it/],
  ['a folder', (file) => mkdirSync(file), /is not a regular file/],
  ['a FIFO that nobody writes to', (file) => void execFileSync('mkfifo', [file]), /is not a regular file/],
  [
    'a link that leads to itself',
    (file) => symlinkSync(path.basename(file), file),
    /leads to itself|does not exist/,
  ],
  ['a link to a device', (file) => symlinkSync('/dev/zero', file), /is not a regular file|outside of/],
  [
    'UTF-16',
    (file) => void place.file(path.basename(file), Buffer.from('\ufeff{"case": "a"}', 'utf16le')),
    /UTF-16|NUL/,
  ],
  [
    'no UTF-8',
    (file) => void place.file(path.basename(file), new Uint8Array([0x7b, 0xff, 0xfe])),
    /is not (UTF-8|JSON)|U\+FFFD/,
  ],
];

const COMMANDS: readonly (readonly string[])[] = [
  ['run', 'returns', '--output', 'bad'],
  ['run', 'returns', '--outputs', 'bad'],
  ['run', 'returns', '--output', 'good.txt', '--input', '@bad'],
  ['try', 'returns', '--output', 'bad'],
  ['try', 'returns', '--outputs', 'bad'],
  ['api', 'POST', '/v1/projects', '-d', '@bad'],
  ['validate', 'bad'],
];

/** Of an output, bytes that are no text are judged as U+FFFD. */
const readers = (what: string) =>
  COMMANDS.filter((args) => what !== 'no UTF-8' || args[args.indexOf('bad') - 1] !== '--output');

describe.each(FILES)('%s in the place of a file', (what, make, why) => {
  test('is reported by name by every command that reads one, which ends with 2 and sends nothing', async () => {
    place.file('good.txt', 'within 30 days');
    make(path.join(place.folder, 'bad'));
    const commands = readers(what);
    const ended = await Promise.all(commands.map((args) => place.cli(args)));
    for (const [index, { code, stdout, stderr }] of ended.entries()) {
      expect({ args: commands[index], code, stdout }).toEqual({ args: commands[index], code: 2, stdout: '' });
      expect(stderr).toMatch(/^bad:1:1: error: /);
      expect(stderr).toMatch(why);
      expect(stderr).not.toMatch(/^\s+at |node:internal|Error:/m);
    }
    expect(service.seen).toEqual([]);
  });
});

/** Where there is none, no command needs one but those of suites. */
const PRESENT = FILES.filter(([what]) => !['nothing', 'a link that leads to itself'].includes(what));

test.each(PRESENT)('%s in the place of evalgate.yaml is reported by every command', async (_, make) => {
  const file = path.join(place.folder, 'evalgate.yaml');
  rmSync(file);
  make(file);
  for (const args of [['validate'], ['whoami'], ['doctor']]) {
    const { code, stdout, stderr } = await place.cli(args);
    expect({ args, code }).toEqual({ args, code: 2 });
    expect(stdout + stderr).toContain('evalgate.yaml:1:1: error: ');
    expect(stderr).not.toMatch(/^\s+at |node:internal/m);
  }
});

test('a file of outputs may be large, and its bad lines are reported by number', async () => {
  const good = JSON.stringify({ case: 'return-window', output: 'within 30 days' });
  const lines = Array.from({ length: 2_000 }, (_, index) => ([700, 1_999].includes(index) ? '{' : good));
  place.file('bad.jsonl', lines.join('\r\n'));
  for (const command of ['run', 'try']) {
    const { code, stderr } = await place.cli([command, 'returns', '--outputs', 'bad.jsonl']);
    expect(code).toBe(2);
    expect(stderr.match(/^bad\.jsonl:\d+:1: error: is not JSON/gm)).toEqual([
      'bad.jsonl:701:1: error: is not JSON',
      'bad.jsonl:2000:1: error: is not JSON',
    ]);
  }
  expect(service.seen).toEqual([]);
});

test('an output of 2 MB is refused with its place, wherever it stands', async () => {
  const large = 'x'.repeat(2 * 1_048_576);
  place.file('large.txt', large);
  place.file('large.jsonl', `\n${JSON.stringify({ case: 'return-window', output: large })}\n`);
  for (const command of ['run', 'try']) {
    const text = await place.cli([command, 'returns', '--output', 'large.txt']);
    expect(text).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^large\.txt:1:1: error: .*at most 1 MB$/m),
    });
    const line = await place.cli([command, 'returns', '--outputs', 'large.jsonl']);
    expect(line).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^large\.jsonl:2:1: error: .*at most 1 MB$/m),
    });
    const stdin = await place.cli([command, 'returns', '--output', '-'], { stdin: large });
    expect(stdin).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^stdin:1:1: error: .*at most 1 MB$/m),
    });
  }
  expect(service.seen).toEqual([]);
});

test('an output of 0 bytes is judged, with a warning', async () => {
  place.file('empty.txt', '');
  const { code, stderr } = await place.cli(['try', 'returns', '--output', 'empty.txt']);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'empty.txt:1:1: warning: the output is empty, and is judged as it is\n',
  });
});
