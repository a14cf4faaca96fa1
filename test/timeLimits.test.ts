import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { REPOSITORY_DIR } from './support/processes.ts';
import { HANG_MS } from './support/service.ts';

const read = (file: string): string => readFileSync(path.join(REPOSITORY_DIR, file), 'utf8');
const files = globSync('test/**/*.ts', { cwd: REPOSITORY_DIR });
/** The last argument of a test or a hook: `}, 60_000);`, on one line or on two. */
const OWN_LIMIT = /\},\s*[\d_]+_000,?\s*\);|jest\.setTimeout/;

test('no test and no hook has a time limit of its own, which a slow machine could reach', () => {
  const self = path.join('test', 'timeLimits.test.ts');
  expect(files.filter((file) => file !== self && OWN_LIMIT.test(read(file)))).toEqual([]);
});

test('only what hangs reaches a limit: of a quarter of an hour at least, sooner in a test than in jest', () => {
  const { testTimeout } = JSON.parse(read('jest.config.json'));
  expect(HANG_MS).toBeGreaterThanOrEqual(15 * 60_000);
  expect(testTimeout).toBeGreaterThan(HANG_MS);
});
