import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { REPOSITORY_DIR } from '../support/processes.ts';

const FILES = globSync('clients/{files,importers,gate,cli,action}/**/*.ts', { cwd: REPOSITORY_DIR }).filter(
  (name) => !/\/(?:generated|dist)\//.test(name),
);
const textOf = (name: string): string => readFileSync(path.join(REPOSITORY_DIR, name), 'utf8');
const linesWith = (expression: RegExp, of = FILES): string[] =>
  of.flatMap((name) =>
    textOf(name)
      .split('\n')
      .flatMap((line, at) => (expression.test(line) ? [`${name}:${at + 1} ${line.trim()}`] : [])),
  );

// TypeScript refuses to look up a text in an object that has other names only.
test('a table by names is a Map, since a name of a stranger may be one that every object inherits', () => {
  expect(FILES.length).toBeGreaterThan(200);
  expect(linesWith(/const [A-Z_]+: (?:Readonly<)?Record<string,/)).toEqual([]);
});

test('an unknown value is looked up by ownOf only', () => {
  const others = FILES.filter((name) => name !== 'clients/files/read/parts.ts');
  expect(linesWith(/as (?:Readonly<)?Record<(?:string|PropertyKey), unknown>>?\)\[/, others)).toEqual([]);
});

test('no file that reads what strangers wrote asks by `in` whether a name is there', () => {
  const readers = FILES.filter((name) => /(?:importers\/|files\/read\/)/.test(name));
  expect(linesWith(/(?:^|[(!&|?] ?)[a-z]\w* in [a-z]/, readers)).toEqual([]);
});
