import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  type Files,
  makeFolder,
  makeRepository,
  read,
  readIn,
  SCORER,
  suiteOf,
  writeFiles,
} from '../repository.ts';

const CASE = 'cases: [{ key: a, input: {}, scorer: eq }]';
const GOOD = suiteOf(SCORER, CASE);

describe('evalgate.yaml', () => {
  test('is found upwards from the working directory', async () => {
    const folder = makeRepository({ 'evals/s.suite.yaml': GOOD, 'deep/er/file.txt': '' });
    const { suites, messages } = await readIn(path.join(folder, 'deep/er'));
    expect({ messages, slugs: suites.map(({ suite }) => suite.slug) }).toEqual({
      messages: [],
      slugs: ['s'],
    });
  });

  test('is not looked for above the repository', async () => {
    const folder = makeRepository({ 'evals/s.suite.yaml': GOOD });
    mkdirSync(path.join(folder, 'other/.git'), { recursive: true });
    const { messages } = await readIn(path.join(folder, 'other'));
    expect(messages).toEqual([
      'evalgate.yaml:1:1: error: is neither in this folder nor above it: `evalgate init` makes one',
    ]);
  });

  test('names suites and shared scorers by patterns, and each file is read once', async () => {
    const { suites, messages } = await read({
      'evalgate.yaml':
        'version: 1\nsuites: ["**/*.suite.yaml", "a/?.suite.yaml", a/b.suite.yaml]\nscorers: [shared/*.yaml]\n',
      'shared/eq.yaml': `version: 1\n${SCORER}\n`,
      'a/b.suite.yaml': suiteOf(CASE),
      'a/c/d.suite.yaml': suiteOf(CASE).replace('suite: s', 'suite: deeper'),
      'node_modules/x/e.suite.yaml': 'no suite',
      '.hidden/f.suite.yaml': 'no suite',
    });
    expect({ messages, slugs: suites.map(({ suite }) => suite.slug) }).toEqual({
      messages: [],
      slugs: ['s', 'deeper'],
    });
  });

  test.each([['/etc/*.yaml'], ['../*.suite.yaml'], ['a\\\\b.suite.yaml']])(
    'refuses the pattern %s',
    async (pattern) => {
      const { messages } = await read({ 'evalgate.yaml': `version: 1\nsuites: ["${pattern}"]\n` });
      expect(messages).toEqual([
        expect.stringMatching(/^evalgate\.yaml:2:10: error: .* must be a path below the folder/),
      ]);
    },
  );

  test('reports every mistake', async () => {
    const { messages } = await read({
      'evalgate.yaml': 'version: 2\nurl: ftp://x\nprojct: a\nproject: A B\n',
    });
    expect(messages).toEqual([
      'evalgate.yaml:1:10: error: version must be 1, the version of this format',
      'evalgate.yaml:2:6: error: url must be the address of the service, such as https://gate.example.com',
      'evalgate.yaml:3:1: error: projct is not a field here: did you mean project?',
      expect.stringMatching(/^evalgate\.yaml:4:10: error: project must be a slug: lower-case letters/),
    ]);
  });

  test('names no suite that a link leads out of its folder to, and none that is a FIFO', async () => {
    const outside = makeRepository({ 's.suite.yaml': GOOD });
    const folder = makeRepository({ 'evals/x.txt': '' });
    const at = (name: string) => path.join(folder, 'evals', name);
    symlinkSync(outside, at('linked'));
    symlinkSync(path.join(outside, 's.suite.yaml'), at('s.suite.yaml'));
    const refused = [
      expect.stringMatching(/^evals\/s\.suite\.yaml:1:1: error: the file leads to a place outside of/),
    ];
    expect(await readIn(folder)).toEqual({ suites: [], messages: refused });
    expect(await readIn(folder, ['evals/s.suite.yaml'])).toEqual({ suites: [], messages: refused });
    execFileSync('mkfifo', [at('fifo.suite.yaml')]);
    expect((await readIn(folder, ['evals/fifo.suite.yaml'])).messages).toEqual([
      'evals/fifo.suite.yaml:1:1: error: the file is not a regular file: name one',
    ]);
  });

  test('names a suite by a link within its folder, and one that is reached by two names once', async () => {
    const folder = makeRepository({ 'shared/s.suite.yaml': GOOD, 'evals/x.txt': '' });
    symlinkSync('../shared/s.suite.yaml', path.join(folder, 'evals/s.suite.yaml'));
    const filesOf = ({ suites, messages }: Awaited<ReturnType<typeof readIn>>) => [
      messages,
      suites.map(({ file }) => file),
    ];
    expect(filesOf(await readIn(folder))).toEqual([[], ['evals/s.suite.yaml']]);
    symlinkSync('s.suite.yaml', path.join(folder, 'evals/a.suite.yaml'));
    expect(filesOf(await readIn(folder))).toEqual([[], ['evals/a.suite.yaml']]);
    writeFiles(folder, { 'evalgate.yaml': 'version: 1\nsuites: ["**/*.suite.yaml"]\n' });
    expect(filesOf(await readIn(folder))).toEqual([[], ['shared/s.suite.yaml']]);
  });

  test('reports a link that leads nowhere', async () => {
    const folder = makeRepository({ 'evals/x.suite.yaml': GOOD });
    symlinkSync('gone.yaml', path.join(folder, 'evals/s.suite.yaml'));
    expect((await readIn(folder)).messages).toEqual([
      expect.stringContaining('evals/s.suite.yaml:1:1: error: the file does not exist'),
    ]);
  });

  test.each<readonly [string, string, Files, readonly string[]]>([
    [
      'one of suites, beside one that names some',
      'suites: [evals/*.suite.yaml, eval/*.suite.yaml]',
      { 'evals/s.suite.yaml': GOOD },
      ['evalgate.yaml:2:30: error: "eval/*.suite.yaml" names no file: correct it, or take it out'],
    ],
    [
      'one of scorers',
      'scorers: [evals/scorer.yaml]',
      { 'evals/s.suite.yaml': GOOD },
      ['evalgate.yaml:2:11: error: "evals/scorer.yaml" names no file: correct it, or take it out'],
    ],
    [
      'that of suites which is not written',
      'project: a',
      { 'eval/s.suite.yaml': GOOD },
      ['evalgate.yaml:1:1: error: "evals/**/*.suite.yaml" names no file: correct it, or take it out'],
    ],
    [
      'none of suites',
      'suites: []',
      {},
      ['evalgate.yaml:1:1: error: names no suite: add one, or correct `suites`'],
    ],
  ])('reports a pattern that names no file: %s', async (_, line, files, errors) => {
    const { messages } = await read({ 'evalgate.yaml': `version: 1\n${line}\n`, ...files });
    expect(messages).toEqual(errors);
  });

  test('warns of a list of cases that holds none', async () => {
    const { messages } = await read({
      'evals/s.suite.yaml': suiteOf(
        SCORER,
        'cases:\n  - { key: a, input: {}, scorer: eq }\n  - file://a.jsonl\n  - file://b.json',
      ),
      'evals/a.jsonl': '\n',
      'evals/b.json': '[]',
    });
    const holdsNone = 'warning: holds no case: add one, or name the file no more';
    expect(messages).toEqual([`evals/a.jsonl:1:1: ${holdsNone}`, `evals/b.json:1:1: ${holdsNone}`]);
  });

  test('reports a given file that is no suite', async () => {
    const folder = makeFolder({ 'evals/scorers.yaml': 'version: 1\nscorers: {}\n' });
    const { messages } = await readIn(folder, ['evals/scorers.yaml']);
    expect(messages).toEqual([
      'evals/scorers.yaml:1:1: error: holds scorers that suites share: name the file of a suite',
    ]);
    expect((await readIn(folder, ['evalgate.yaml'])).messages).toEqual([
      'evalgate.yaml:1:1: error: is no suite: name the file of a suite',
    ]);
  });
});

test('files that are named are read alone, with the shared scorers', async () => {
  const folder = makeRepository({
    'evals/scorers.yaml': `version: 1\n${SCORER}\n`,
    'evals/s.suite.yaml': suiteOf(CASE),
    'evals/broken.suite.yaml': '[',
  });
  const { suites, messages } = await readIn(path.join(folder, 'evals'), ['s.suite.yaml']);
  expect({ messages, slugs: suites.map(({ suite }) => suite.slug) }).toEqual({ messages: [], slugs: ['s'] });
  expect((await readIn(folder, ['evals/none.suite.yaml'])).messages).toEqual([
    'evals/none.suite.yaml:1:1: error: the file does not exist: correct its name, or make it',
  ]);
  writeFiles(folder, { 'evals/large.suite.yaml': `# ${'x'.repeat(6 * 1_024 * 1_024)}` });
  expect((await readIn(folder, ['evals/large.suite.yaml'])).messages).toEqual([
    'evals/large.suite.yaml:1:1: error: the file is too large: at most 6 MB',
  ]);
});

/** Root may read everything. */
