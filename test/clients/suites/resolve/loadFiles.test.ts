import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
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
/** A suite whose one case expects what a file says. */
const expecting = (reference: string) =>
  suiteOf(SCORER, `cases: [{ key: a, input: {}, scorer: eq, expected: "${reference}" }]`);
const expectedIn = async (files: Files) => {
  const { suites, messages } = await read(files);
  return messages.length > 0 ? messages : suites[0]?.cases[0]?.expected;
};

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

  test('follows no symbolic link out of its folder, to a suite or to a folder of them', async () => {
    const outside = makeRepository({ 's.suite.yaml': GOOD });
    const folder = makeRepository({ 'evals/x.txt': '' });
    symlinkSync(outside, path.join(folder, 'evals/linked'));
    symlinkSync(path.join(outside, 's.suite.yaml'), path.join(folder, 'evals/s.suite.yaml'));
    const refused = [
      expect.stringMatching(/^evals\/s\.suite\.yaml:1:1: error: the file leads to a place outside of/),
    ];
    expect(await readIn(folder)).toEqual({ suites: [], messages: refused });
    expect(await readIn(folder, ['evals/s.suite.yaml'])).toEqual({ suites: [], messages: refused });
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

describe('file://', () => {
  test('brings text as it is, and what .json and .yaml mean', async () => {
    const { suites, messages } = await read({
      'evals/s.suite.yaml': suiteOf(
        'scorers:',
        '  eq: { type: exact_match, config: {} }',
        '  form: { type: json_schema, config: { schema: file://schemas/form.json } }',
        '  polite: { type: llm_judge, config: { _provider: openai, rubric: file://polite.md } }',
        'cases:',
        '  - { key: a, input: file://in.yaml, expected: file://out.txt, scorer: eq }',
        '  - { key: b, input: {}, expected: file://out.json, scorer: form }',
        '  - { key: c, input: {}, expected: \\file://out.json, scorer: polite }',
        '  - { key: d, input: {}, expected: see file://out.json, scorer: eq }',
        '  - file://more/list.yaml',
        '  - file://more/bulk.jsonl',
        '  - file://more/list.json',
      ),
      'evals/schemas/form.json': '{"type": "object"}',
      'evals/polite.md': 'Polite?\r\n',
      'evals/in.yaml': 'question: no\n',
      'evals/out.txt': '30 days\n',
      'evals/out.json': '\ufeff[1, "2"]',
      'evals/more/list.yaml': '- { key: e, input: {}, expected: file://here.txt, scorer: eq }\n',
      'evals/more/here.txt': 'beside it',
      'evals/more/bulk.jsonl':
        '\n{"key": "f", "input": {}, "scorer": "eq"}\r\n\n{"key": "g", "input": {}, "scorer": "eq"}',
      'evals/more/list.json': '[{"key": "h", "input": {}, "scorer": "eq"}]',
    });
    expect(messages).toEqual([]);
    const [suite] = suites;
    expect(suite?.cases.map(({ key, expected }) => [key, expected])).toEqual([
      ['a', '30 days\n'],
      ['b', [1, '2']],
      ['c', 'file://out.json'],
      ['d', 'see file://out.json'],
      ['e', 'beside it'],
      ['f', null],
      ['g', null],
      ['h', null],
    ]);
    expect(suite?.cases[0]?.input).toEqual({ question: 'no' });
    expect(suite?.scorers.get('form')?.config).toEqual({ schema: { type: 'object' } });
    expect(suite?.scorers.get('polite')?.config).toMatchObject({ rubric: 'Polite?\r\n' });
  });

  test.each([
    ['file:///etc/passwd', 'is an absolute path'],
    ['file://C:/Windows/win.ini', 'is an absolute path'],
    ['file://../../x', 'leads out of'],
    ['file://../evals/../../x', 'leads out of'],
    ['file://..\\\\..\\\\x', 'is no path'],
    ['file://a\\0b', 'is no path'],
    ['file://', 'names no file'],
    ['file://../.git/config', 'is a dot-file'],
    ['file://.env', 'is a dot-file'],
    ['file://none.txt', 'does not exist'],
    ['file://x.txt/none', 'does not exist'],
    ['file://folder', 'is not a regular file'],
    ['file://loop', 'leads to itself'],
    ['file://out/secret.txt', 'leads to a place outside'],
    ['file://secret.txt', 'leads to a place outside'],
    ['file://hidden.txt', 'is a dot-file'],
    ['file://fifo', 'is not a regular file'],
    ['file://null', 'leads to a place outside'],
    ['file://large.txt', 'is too large: at most 1 MB'],
    ['file://utf16.txt', 'is not UTF-8 but UTF-16: save it as UTF-8'],
    ['file://utf16-without-mark.txt', 'is not UTF-8 but UTF-16'],
    ['file://utf16-big-endian.txt', 'holds NUL characters'],
    ['file://latin1.txt', 'is not UTF-8: save it as UTF-8'],
    ['file://ignored.txt', 'is ignored by git'],
    ['file://ignored/deep/x.txt', 'is ignored by git'],
    ['file://broken.json', 'is not JSON'],
  ])('%s %s', async (reference, why) => {
    const outside = makeRepository({ 'secret.txt': 'secret' });
    const folder = makeRepository({
      'evals/s.suite.yaml': expecting(reference),
      'evals/folder/x.txt': '',
      'evals/x.txt': '',
      'evals/.env': 'KEY=1',
      'evals/large.txt': 'x'.repeat(1_048_577),
      'evals/utf16.txt': Buffer.from('\ufeffsecret', 'utf16le'),
      'evals/utf16-without-mark.txt': Buffer.from('plain', 'utf16le'),
      'evals/utf16-big-endian.txt': Buffer.from('plain', 'utf16le').swap16(),
      'evals/latin1.txt': Buffer.from('caf\xe9', 'latin1'),
      'evals/ignored.txt': '',
      'evals/ignored/deep/x.txt': '',
      'evals/broken.json': '{"a": }',
      '.gitignore': 'ignored.txt\nignored/\n',
    });
    const at = (name: string) => path.join(folder, 'evals', name);
    symlinkSync(outside, at('out'));
    symlinkSync(path.join(outside, 'secret.txt'), at('secret.txt'));
    symlinkSync(at('.env'), at('hidden.txt'));
    symlinkSync(at('loop'), at('loop'));
    symlinkSync('/dev/null', at('null'));
    execFileSync('mkfifo', [at('fifo')]);
    const { suites, messages } = await readIn(folder);
    expect(suites).toEqual([]);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain(why);
    expect(messages[0]).toMatch(
      reference.endsWith('broken.json')
        ? /^evals\/broken\.json:1:1: /
        : /^evals\/s\.suite\.yaml:4:52: error: cases\[0\]\.expected /,
    );
    expect(messages[0]).not.toContain('secret\n');
  });

  test('a symbolic link within the folder is followed', async () => {
    const folder = makeRepository({ 'evals/s.suite.yaml': expecting('file://link.txt'), 'real.txt': 'yes' });
    symlinkSync('../real.txt', path.join(folder, 'evals/link.txt'));
    expect((await readIn(folder)).suites[0]?.cases[0]?.expected).toBe('yes');
  });

  test('a file that may not be read is reported as such', async () => {
    const folder = makeRepository({
      'evals/s.suite.yaml': expecting('file://closed.txt'),
      'evals/closed.txt': '',
    });
    chmodSync(path.join(folder, 'evals/closed.txt'), 0);
    chmodSync(folder, 0o755);
    const { messages } = await asNobody(() => readIn(folder));
    expect(messages).toEqual([expect.stringContaining('may not be read: change its permissions')]);
  });

  test('a file that git ignores is refused where the repository begins further up, too', async () => {
    const repository = makeRepository({ '.gitignore': 'ignored.txt\n' });
    const files = {
      'evalgate.yaml': 'version: 1\n',
      ...{ 'evals/s.suite.yaml': expecting('file://ignored.txt'), 'evals/ignored.txt': '' },
    };
    writeFiles(path.join(repository, 'apps/bot'), files);
    const { messages } = await readIn(path.join(repository, 'apps/bot'));
    expect(messages).toEqual([expect.stringContaining('is ignored by git')]);
  });

  test('a file that git keeps is read although a pattern of .gitignore fits it', async () => {
    const folder = makeRepository({
      'evals/s.suite.yaml': expecting('file://kept.txt'),
      ...{ 'evals/kept.txt': 'yes', '.gitignore': 'kept.txt' },
    });
    execFileSync('git', ['-C', folder, 'add', '-f', 'evals/kept.txt']);
    expect((await readIn(folder)).messages).toEqual([]);
  });

  test('an input that is a text, and a list of cases that is none, are refused', async () => {
    const { messages } = await read({
      'evals/s.suite.yaml': suiteOf(
        SCORER,
        'cases:',
        '  - { key: a, input: file://x.txt, scorer: eq }',
        '  - file://x.txt',
        '  - file://map.yaml',
        '  - { key: b, input: question, scorer: eq }',
      ),
      'evals/x.txt': 'x',
      'evals/map.yaml': 'a: 1\n',
    });
    expect(messages).toEqual([
      'evals/map.yaml:1:1: error: must be a list of cases',
      expect.stringMatching(
        /^evals\/s\.suite\.yaml:5:22: error: cases\[0\]\.input names a text, and must be an object/,
      ),
      expect.stringMatching(/^evals\/s\.suite\.yaml:6:5: error: cases\[1\] must name a file that ends in/),
      expect.stringMatching(
        /^evals\/s\.suite\.yaml:8:22: error: cases\[3\]\.input must be an object, or file:/,
      ),
    ]);
  });

  test('a bad line of cases is reported by number, and the others are read', async () => {
    const { messages } = await read({
      'evals/s.suite.yaml': suiteOf(SCORER, 'cases: [file://bulk.jsonl]'),
      'evals/bulk.jsonl':
        '{"key": "a", "input": {}, "scorer": "eq"}\n{"key": "b",\n\n{"key": "c", "input": {}, "scorer": "qe"}\n',
    });
    expect(messages).toEqual([
      expect.stringMatching(/^evals\/bulk\.jsonl:2:1: error: is not JSON/),
      expect.stringMatching(
        /^evals\/bulk\.jsonl:4:1: error: scorer names no scorer: write "qe" under `scorers`/,
      ),
    ]);
  });

  test('what a file brings is never code, nor a field of every object', async () => {
    const expected = await expectedIn({
      'evals/s.suite.yaml': expecting('file://x.json'),
      'evals/x.json': '{"__proto__": {"isAdmin": true}}',
    });
    expect(JSON.stringify(expected)).toBe('{"__proto__":{"isAdmin":true}}');
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
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
async function asNobody<T>(action: () => Promise<T>): Promise<T> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    return await action();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}
