import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { REPOSITORY_DIR } from '../support/processes.ts';
import { readPage } from './pages.ts';

const ROWS = [
  'an output',
  'a case',
  '`expected`',
  'a call',
  'its arguments',
  'its result',
  'a span',
  'a judge’s answer',
  'a provider’s error',
  'a sample',
  'a baseline’s case',
  'a waiver',
  'a plan’s field',
  'a file of outputs',
  'a default',
];
const COLUMNS = [
  'absent',
  'unreadable',
  'in another form',
  'changed since',
  'late',
  'twice',
  'cut',
  'foreign',
];

const section =
  readPage('docs/decisions.md').text.split('## What is not known\n')[1]?.split('\n## ')[0] ?? '';
const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
const [head = [], , ...rows] = section
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map(cellsOf);
const tests = new Map(
  [...section.matchAll(/^\[(\d+)\]: \.\.\/(test\/\S+\.test\.ts) "(.+)"$/gm)].map(
    ([, number = '', file = '', title = '']) => [number, { file, title }],
  ),
);

test('the table of unknowns has each thing that decides, and each way in which it can be unknown', () => {
  expect(head).toEqual(['', ...COLUMNS]);
  expect(rows.map(([thing]) => thing)).toEqual(ROWS);
  expect(rows.map(({ length }) => length)).toEqual(ROWS.map(() => COLUMNS.length + 1));
});

test('each cell of the table of unknowns has one to four words and a test of that title', () => {
  const used = new Set<string>();
  for (const [thing, ...cells] of rows) {
    for (const [at, cell] of cells.entries()) {
      const [, words = '', number = ''] = /^\[([^\]]+)\]\[(\d+)\]$/.exec(cell) ?? [];
      const place = `${thing}, ${COLUMNS[at]}`;
      expect([place, /^\S+( \S+){0,3}$/.test(words)]).toEqual([place, true]);
      expect([place, faultOf(tests.get(number))]).toEqual([place, undefined]);
      used.add(number);
    }
  }
  expect([...used].sort()).toEqual([...tests.keys()].sort());
});

/** Why what a cell names is no test. */
function faultOf(named: { readonly file: string; readonly title: string } | undefined): string | undefined {
  if (named === undefined) return 'is not defined';
  const file = path.join(REPOSITORY_DIR, named.file);
  if (!existsSync(file)) return `${named.file} is not there`;
  const quoted = ["'", '"', '`'].map((mark) => `${mark}${named.title}${mark}`);
  const text = readFileSync(file, 'utf8');
  return quoted.some((title) => text.includes(title)) ? undefined : `${named.file} lacks "${named.title}"`;
}
