import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { casePlaces } from '../../../../clients/files/resolve/casePlaces.ts';
import { type Files, makeFolder, writeFiles } from '../repository.ts';

const SUITE = `version: 1
suite: returns
cases:
  - key: window
    input: {}
  - input: {}
    key: refund
  - file://more.yaml
  - file://bulk.jsonl
`;
const FILES: Files = {
  'evalgate.yaml': 'version: 1\nproject: bot\n',
  'evals/a.suite.yaml': 'version: 1\nsuite: other\n# not returns\ncases: [{ key: window, input: {} }]\n',
  'evals/returns.suite.yaml': SUITE,
  'evals/more.yaml': '- input: {}\n  key: letter\n- { key: window, input: {} }\n',
  'evals/bulk.jsonl': '\n{"key": "bulk", "input": {}}\n',
};
const RETURNS = { suite: 'returns', project: 'bot' };

const placesIn = (files: Files, sought: Parameters<typeof casePlaces>[2] = RETURNS) => {
  const folder = makeFolder(files);
  return Object.fromEntries(casePlaces(path.join(folder, 'evalgate.yaml'), folder, sought));
};

test('each case has the place of its key, also in the files that its suite names', () => {
  expect(placesIn(FILES)).toEqual({
    window: { file: 'evals/returns.suite.yaml', line: 4 },
    refund: { file: 'evals/returns.suite.yaml', line: 7 },
    letter: { file: 'evals/more.yaml', line: 2 },
    bulk: { file: 'evals/bulk.jsonl', line: 2 },
  });
});

test('files are named from the requested folder, and not those outside of it', () => {
  const folder = makeFolder();
  const below = Object.fromEntries(Object.entries(FILES).map(([name, text]) => [`bot/${name}`, text]));
  writeFiles(folder, below);
  mkdirSync(path.join(folder, 'elsewhere'));
  const config = path.join(folder, 'bot/evalgate.yaml');
  expect(casePlaces(config, folder, RETURNS).get('window')?.file).toBe('bot/evals/returns.suite.yaml');
  expect(casePlaces(config, path.join(folder, 'elsewhere'), RETURNS).size).toBe(0);
});

test('a suite of another project has no places, and one of no named project has', () => {
  expect(placesIn(FILES, { suite: 'returns', project: 'other' })).toEqual({});
  expect(placesIn(FILES, { suite: 'returns', project: undefined })).toHaveProperty('window');
  expect(placesIn({ ...FILES, 'evalgate.yaml': 'version: 1\n' }, RETURNS)).toHaveProperty('window');
});

test.each<[string, Files]>([
  ['no evalgate.yaml that can be read', { ...FILES, 'evalgate.yaml': 'version: 2\n' }],
  ['no such suite', { 'evals/x.suite.yaml': 'version: 1\nsuite: returns-2\n' }],
  ['a suite that is no YAML', { 'evals/returns.suite.yaml': `${SUITE}  - [` }],
  [
    'cases that are none',
    { 'evals/returns.suite.yaml': 'version: 1\nsuite: returns\ncases: [1, null, { key: 2 }]\n' },
  ],
  ['files outside of it', { 'evals/returns.suite.yaml': 'suite: returns\ncases: ["file://../../x.yaml"]\n' }],
])('a repository with %s has no places, and nothing fails', (_, files) => {
  expect(placesIn(files)).toEqual({});
});

test('a folder that is not there has no places', () => {
  expect(casePlaces('/no/such/folder/evalgate.yaml', '/no/such/folder', RETURNS).size).toBe(0);
});
