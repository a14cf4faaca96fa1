import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { PAGE_FILES } from '../../../clients/pages/files.ts';
import { readConfig } from '../../../infra/local/config.ts';
import { readConfig as readFunctionConfig } from '../../../shared/runtime/config.ts';
import { REPOSITORY_DIR } from '../../support/processes.ts';

const read = (name: string) => readFileSync(path.join(REPOSITORY_DIR, name), 'utf8');
const containerfile = read('Containerfile');
const argumentsOf = (instruction: string) =>
  [...containerfile.matchAll(new RegExp(`^${instruction} (.+)$`, 'gm'))].map(([, text = '']) => text);

test('a container runs what `npm start` runs, on the packages that it installs, with settings that the service takes', () => {
  const { scripts } = JSON.parse(read('package.json'));
  expect(JSON.parse(argumentsOf('CMD')[0] ?? '').join(' ')).toBe(scripts.start);
  expect(argumentsOf('RUN').at(-1)).toMatch(/^npm ci --omit=dev --include=optional /);
  const environment = Object.fromEntries(
    (argumentsOf('ENV')[0] ?? '').split(' ').map((pair) => pair.split('=') as [string, string]),
  );
  expect(readConfig(environment)).toMatchObject({ host: '0.0.0.0', dataDir: '/data' });
  expect(readFunctionConfig({ ...environment, TABLE_NAME: 'evalgate' }).signUp).toBe('closed');
});

test('a container has the package of the command line where the service looks for it', () => {
  const kept = PAGE_FILES.flatMap((page) =>
    'keptIn' in page && page.keptIn !== undefined ? [page.keptIn] : [],
  );
  expect(argumentsOf('COPY').at(-1)?.split(' ').at(-1)).toBe(kept[0]);
});

test('no image gets the data, the packages or the history of the clone it is built from', () => {
  expect(read('.dockerignore').split('\n')).toEqual(
    expect.arrayContaining(['.evalgate', 'node_modules', '.git']),
  );
});
