import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { NODE } from '../service.ts';

/** Tests a file that writes to both streams, in a new process. */
function written(script: string) {
  const { stdout, stderr } = spawnSync(
    NODE,
    [
      '-e',
      `const { beginFile, endFile } = require(${JSON.stringify(path.join(import.meta.dirname, 'output.cjs'))});
beginFile();
console.log('first'); console.error('second');
${script}`,
    ],
    { encoding: 'utf8' },
  );
  return { stdout, stderr };
}

test('the output of a passing file is not shown', () => {
  expect(written(`endFile('a.test.ts', false);`)).toEqual({ stdout: '', stderr: '' });
});

test('the output of a failing file is shown under its name', () => {
  const { stderr } = written(`endFile('a.test.ts', true);`);
  expect(stderr).toBe('--- What was written during a.test.ts:\nfirst\nsecond\n---\n');
});

test('of very much only the end is shown', () => {
  const { stderr } = written(
    `for (let line = 0; line < 1000; line++) console.log('line ' + line);
endFile('a.test.ts', true);`,
  );
  const lines = stderr.trimEnd().split('\n');
  expect([lines.length, lines[0], lines.at(-2)]).toEqual([
    202,
    '--- What was written during a.test.ts, without the first 802 lines:',
    'line 999',
  ]);
});

test('a process that ends in the middle of a file shows its output', () => {
  expect(written('process.exit(3);').stderr).toContain('first\nsecond\n');
});

test('after the file the streams are as they were', () => {
  expect(written(`endFile('a.test.ts', false); console.log('later');`).stdout).toBe('later\n');
});
