import { PassThrough, Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { COMMANDS, createProgram } from '../../../clients/cli/program.ts';

const streams = { stdin: Readable.from([]), stdout: new PassThrough(), stderr: new PassThrough() };
const io = { ...streams, env: {}, cwd: '/', signal: new AbortController().signal };
const namesAfter = (first?: string): string[] =>
  createProgram(io, [], () => undefined, first).commands.map((command) => command.name());

const ALL = [...Object.keys(COMMANDS), 'help'];

describe('the commands that a start adds', () => {
  test('are all of them, where the command line begins with none', () => {
    for (const first of [undefined, '', '--json', 'nothing', 'help', 'completion', '__proto__']) {
      expect(namesAfter(first)).toEqual(ALL);
    }
  });

  test.each(ALL.filter((name) => name !== 'help'))(
    'are %s and help where the command line begins with it',
    (name) => {
      expect(namesAfter(name)).toEqual(name === 'completion' ? ALL : [name, 'help']);
    },
  );
});
