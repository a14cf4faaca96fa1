import { execFileSync } from 'node:child_process';
import { chmodSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { makeRepository, read, readIn, SCORER, suiteOf, writeFiles } from '../repository.ts';

const CASE = 'cases: [{ key: a, input: {}, scorer: eq }]';

/** A suite that names a file in each place that takes one. */
const NAMING = {
  expected: (reference: string) =>
    suiteOf(SCORER, `cases: [{ key: a, input: {}, scorer: eq, expected: "${reference}" }]`),
  input: (reference: string) => suiteOf(SCORER, `cases: [{ key: a, input: "${reference}", scorer: eq }]`),
  'a schema': (reference: string) =>
    suiteOf(`scorers: { eq: { type: json_schema, config: { schema: "${reference}" } } }`, CASE),
  'a rubric': (reference: string) =>
    suiteOf(
      `scorers: { eq: { type: llm_judge, config: { _provider: openai, rubric: "${reference}" } } }`,
      CASE,
    ),
  'a list of cases': (reference: string) => suiteOf(SCORER, `cases: ["${reference}"]`),
};
const expecting = NAMING.expected;

/** Beside what lies outside of it, and what cannot be read as text. */
function repositoryOfTraps(): string {
  const outside = makeRepository({ 'secret.json': '"secret"' });
  const folder = makeRepository({
    'evals/folder/x.json': '',
    'evals/x.json': '""',
    'evals/.env.json': '"secret"',
    'evals/large.json': `"${'x'.repeat(1_048_577)}"`,
    'evals/utf16.json': Buffer.from('\ufeffsecret', 'utf16le'),
    'evals/nul.json': '"\u0000"',
    'evals/latin1.json': Buffer.from('caf\xe9', 'latin1'),
    'evals/ignored.json': '"secret"',
    'evals/ignored/deep/x.json': '"secret"',
    '.gitignore': 'ignored.json\nignored/\n',
  });
  const at = (name: string) => path.join(folder, 'evals', name);
  symlinkSync(outside, at('out'));
  symlinkSync(path.join(outside, 'secret.json'), at('secret.json'));
  symlinkSync(at('.env.json'), at('hidden.json'));
  symlinkSync(at('loop.json'), at('loop.json'));
  symlinkSync('/dev/zero', at('device.json'));
  execFileSync('mkfifo', [at('fifo.json')]);
  return folder;
}

test('file:// brings text as it is, and what .json and .yaml mean', async () => {
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
  expect(Object.fromEntries(suite?.cases.map(({ key, expected }) => [key, expected]) ?? [])).toEqual({
    a: '30 days\n',
    b: [1, '2'],
    c: 'file://out.json',
    d: 'see file://out.json',
    e: 'beside it',
    f: null,
    g: null,
    h: null,
  });
  expect(suite?.cases[0]?.input).toEqual({ question: 'no' });
  expect(suite?.scorers.get('form')?.config).toEqual({ schema: { type: 'object' } });
  expect(suite?.scorers.get('polite')?.config).toMatchObject({ rubric: 'Polite?\r\n' });
});

test('each reference to anything but a text of the repository is refused with the reason, and brings nothing', async () => {
  const folder = repositoryOfTraps();
  for (const [reference, why] of [
    ['file:///etc/passwd', 'is an absolute path'],
    ['file://C:/Windows/win.ini', 'is an absolute path'],
    ['file://../evals/../../x', 'leads out of'],
    ['file://..\\\\..\\\\x', 'is no path'],
    ['file://a\\0b', 'is no path'],
    ['file://', 'names no file'],
    ['file://../.git/config', 'is a dot-file'],
    ['file://hidden.json', 'is a dot-file'],
    ['file://none.json', 'does not exist'],
    ['file://x.json/none', 'does not exist'],
    ['file://folder', 'is not a regular file'],
    ['file://fifo.json', 'is not a regular file'],
    ['file://loop.json', 'leads to itself'],
    ['file://out/secret.json', 'leads to a place outside'],
    ['file://secret.json', 'leads to a place outside'],
    ['file://device.json', 'leads to a place outside'],
    ['file://large.json', 'is too large: at most 1 MB'],
    ['file://utf16.json', 'is not UTF-8 but UTF-16: save it as UTF-8'],
    ['file://nul.json', 'holds NUL characters'],
    ['file://latin1.json', 'is not UTF-8: save it as UTF-8'],
    ['file://ignored.json', 'is ignored by git'],
    ['file://ignored/deep/x.json', 'is ignored by git'],
  ] as const) {
    writeFiles(folder, { 'evals/s.suite.yaml': expecting(reference) });
    const { suites, messages } = await readIn(folder);
    expect({ reference, suites, messages }).toEqual({
      reference,
      suites: [],
      messages: [expect.stringMatching(/^evals\/s\.suite\.yaml:4:52: error: cases\[0\]\.expected /)],
    });
    expect(messages[0]).toContain(why);
  }
});

test.each(Object.entries(NAMING))(
  'a file outside of the repository, a hidden one and one that git ignores are refused as %s',
  async (_, suite) => {
    const folder = repositoryOfTraps();
    for (const name of ['../../secret.json', 'secret.json', '.env.json', 'ignored.json']) {
      writeFiles(folder, { 'evals/s.suite.yaml': suite(`file://${name}`) });
      expect(await readIn(folder)).toEqual({
        suites: [],
        messages: [expect.stringMatching(/^evals\/s\.suite\.yaml:[34]:\d+: error: /)],
      });
    }
  },
);

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

test('git ignores where its repository begins further up, too, and not what it keeps all the same', async () => {
  const repository = makeRepository({ '.gitignore': 'ignored.txt\nkept.txt\n' });
  const folder = path.join(repository, 'apps/bot');
  const suite = (name: string) => ({ 'evals/s.suite.yaml': expecting(`file://${name}`) });
  writeFiles(folder, {
    'evalgate.yaml': 'version: 1\n',
    'evals/ignored.txt': '',
    'evals/kept.txt': 'yes',
    ...suite('ignored.txt'),
  });
  expect((await readIn(folder)).messages).toEqual([expect.stringContaining('is ignored by git')]);
  execFileSync('git', ['-C', folder, 'add', '-f', 'evals/kept.txt']);
  writeFiles(folder, suite('kept.txt'));
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
      '  - file://s.suite.yaml',
      '  - { key: c, input: {}, scorer: eq, expected: file://broken.json }',
    ),
    'evals/x.txt': 'x',
    'evals/map.yaml': 'a: 1\n',
    'evals/broken.json': '{"a": }',
  });
  expect(messages).toEqual([
    expect.stringMatching(/^evals\/broken\.json:1:1: error: is not JSON/),
    'evals/map.yaml:1:1: error: must be a list of cases',
    'evals/s.suite.yaml:1:1: error: must be a list of cases',
    expect.stringMatching(/^evals\/s\.suite\.yaml:5:22: error: cases\[0\]\.input names a text, and must be/),
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

test('the text of a named file is never looked up once more', async () => {
  const list = await read({
    'evals/s.suite.yaml': suiteOf(SCORER, 'cases: [file://a.yaml]'),
    'evals/a.yaml': '- file://a.yaml\n',
  });
  expect(list).toEqual({
    suites: [],
    messages: ['evals/a.yaml:1:3: error: [0]: expected object, received string'],
  });
  const { suites, messages } = await read({
    'evals/s.suite.yaml': suiteOf(
      SCORER,
      'cases: [{ key: a, input: file://in.json, scorer: eq, expected: file://self.txt }]',
    ),
    'evals/self.txt': 'file://self.txt',
    'evals/in.json': '{"a": "file://in.json", "b": ["file:///etc/passwd"], "__proto__": {"isAdmin": true}}',
  });
  expect(messages).toEqual([]);
  expect(suites[0]?.cases[0]?.expected).toBe('file://self.txt');
  expect(JSON.stringify(suites[0]?.cases[0]?.input)).toBe(
    '{"a":"file://in.json","b":["file:///etc/passwd"],"__proto__":{"isAdmin":true}}',
  );
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
});

describe('names that every object has', () => {
  const inYaml = (...lines: readonly string[]) => read({ 'evals/s.suite.yaml': suiteOf(...lines) });
  const inFile = (name: string, text: string) =>
    read({
      'evals/s.suite.yaml': suiteOf(
        'scorers: { eq: { type: exact_match, config: {} }, constructor: { type: exact_match, config: {} } }',
        `cases: [file://${name}]`,
      ),
      [`evals/${name}`]: text,
    });

  test.each(['__proto__', 'constructor', 'toString'])('are no fields: %s', async (name) => {
    const line = `{"key": "a", "input": {}, "scorer": "eq", "${name}": {"threshold": 0}}`;
    const all = await Promise.all([
      inYaml(`${name}: 1`, SCORER, CASE),
      inYaml(SCORER, `cases: [{ key: a, input: {}, scorer: eq, ${name}: { threshold: 0 } }]`),
      inYaml(`scorers: { eq: { type: exact_match, config: {}, ${name}: 1 } }`, CASE),
      inYaml(`scorers: { eq: { type: exact_match, config: { ${name}: 1 } } }`, CASE),
      inYaml(`gates: { ${name}: 1 }`, SCORER, CASE),
      inYaml(`defaults: { ${name}: 1 }`, SCORER, CASE),
      inYaml(`base: &base { ${name}: 1 }`, SCORER, 'cases: [{ key: a, input: {}, scorer: eq, <<: *base }]'),
      inFile('a.json', `[${line}]`),
      inFile('a.jsonl', `${line}\n`),
    ]);
    const refusal = new RegExp(`${name}( is not a field here|: )| is not the name of a field`);
    for (const { suites, messages } of all) {
      expect(suites).toEqual([]);
      expect(messages).toContainEqual(expect.stringMatching(refusal));
    }
    expect(({} as { threshold?: number }).threshold).toBeUndefined();
  });

  test('are keys where they are slugs, and parts of documents like any other', async () => {
    const { suites, messages } = await inFile(
      'a.json',
      '[{"key": "constructor", "scorer": "constructor", "input": {"__proto__": {"a": 1}, "toString": 1}}]',
    );
    expect(messages).toEqual([]);
    expect(JSON.stringify(suites[0]?.cases[0]?.input)).toBe('{"__proto__":{"a":1},"toString":1}');
    expect((await inYaml(SCORER, 'cases: [{ key: toString, input: {}, scorer: eq }]')).messages).toEqual([
      expect.stringContaining('cases[0].key: only lower-case letters'),
    ]);
    expect((await inYaml(SCORER, 'cases: [{ key: a, input: {}, scorer: constructor }]')).messages).toEqual([
      expect.stringMatching(/cases\[0\]\.scorer names no scorer: write "cons/),
    ]);
  });
});
