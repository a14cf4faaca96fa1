import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { aPlace, type Place } from '../cli/cli.ts';
import { type Hostile, json, startHostile } from '../sdk/hostile.ts';
import { type Files, makeRepository, read, readIn, SCORER, suiteOf, writeFiles } from './repository.ts';

const CASE = 'cases: [{ key: a, input: {}, scorer: eq }]';

describe('file:// to what is no file of the repository is refused in the place of', () => {
  const lines = {
    input: (reference: string) => suiteOf(SCORER, `cases: [{ key: a, input: "${reference}", scorer: eq }]`),
    expected: (reference: string) =>
      suiteOf(SCORER, `cases: [{ key: a, input: {}, scorer: eq, expected: "${reference}" }]`),
    'a schema': (reference: string) =>
      suiteOf(`scorers: { eq: { type: json_schema, config: { schema: "${reference}" } } }`, CASE),
    'a rubric': (reference: string) =>
      suiteOf(
        `scorers: { eq: { type: llm_judge, config: { _provider: openai, rubric: "${reference}" } } }`,
        CASE,
      ),
    'a list of cases': (reference: string) => suiteOf(SCORER, `cases: ["${reference}"]`),
  };
  const REFERENCES: readonly (readonly [string, string])[] = [
    ['file:///proc/self/environ', 'is an absolute path'],
    ['file://../../secret.json', 'leads out of'],
    ['file://out/secret.json', 'leads to a place outside'],
    ['file://secret.json', 'leads to a place outside'],
    ['file://device.json', 'leads to a place outside'],
    ['file://fifo.json', 'is not a regular file'],
    ['file://folder.json', 'is not a regular file'],
    ['file://loop.json', 'is a symbolic link that leads to itself'],
    ['file://.env.json', 'is a dot-file'],
    ['file://hidden.json', 'is a dot-file'],
    ['file://../.git/config', 'is a dot-file'],
    ['file://ignored.json', 'is ignored by git'],
    ['file://large.json', 'is too large: at most 1 MB'],
  ];

  test.each(Object.entries(lines))('%s', async (_, suite) => {
    const outside = makeRepository({ 'secret.json': '{"secret": 1}' });
    const folder = makeRepository({
      'evals/folder.json/x': '',
      'evals/.env.json': '{"secret": 1}',
      'evals/ignored.json': '{"secret": 1}',
      'evals/large.json': `"${'x'.repeat(1_048_576)}"`,
      '.gitignore': 'ignored.json\n',
    });
    const at = (name: string) => path.join(folder, 'evals', name);
    symlinkSync(outside, at('out'));
    symlinkSync(path.join(outside, 'secret.json'), at('secret.json'));
    symlinkSync('/dev/zero', at('device.json'));
    symlinkSync(at('loop.json'), at('loop.json'));
    symlinkSync(at('.env.json'), at('hidden.json'));
    execFileSync('mkfifo', [at('fifo.json')]);
    for (const [reference, why] of REFERENCES) {
      writeFiles(folder, { 'evals/s.suite.yaml': suite(reference) });
      const { suites, messages } = await readIn(folder);
      expect({ reference, suites }).toEqual({ reference, suites: [] });
      expect(messages).toEqual([expect.stringMatching(/^evals\/s\.suite\.yaml:[34]:\d+: error: /)]);
      expect(messages[0]).toContain(`${reference} ${why}`);
    }
  });
});

describe('what a named file says is never looked up once more', () => {
  test.each<[string, Files]>([
    ['a list that names itself', { 'evals/a.yaml': '- file://a.yaml\n' }],
    [
      'lists that name each other',
      { 'evals/a.yaml': '- file://b.yaml\n', 'evals/b.yaml': '- file://a.yaml\n' },
    ],
    ['a list that names the suite', { 'evals/a.yaml': '- file://s.suite.yaml\n' }],
  ])('%s is no list of cases', async (_, files) => {
    const { suites, messages } = await read({
      'evals/s.suite.yaml': suiteOf(SCORER, 'cases: [file://a.yaml]'),
      ...files,
    });
    expect(suites).toEqual([]);
    expect(messages).toEqual(['evals/a.yaml:1:3: error: [0]: expected object, received string']);
  });

  test('the suite is no list of its own cases', async () => {
    const { suites, messages } = await read({
      'evals/s.suite.yaml': suiteOf(SCORER, 'cases: [file://s.suite.yaml]'),
    });
    expect(suites).toEqual([]);
    expect(messages).toEqual(['evals/s.suite.yaml:1:1: error: must be a list of cases']);
  });

  test('a value that names its own file, or another, is a text', async () => {
    const { suites, messages } = await read({
      'evals/s.suite.yaml': suiteOf(
        SCORER,
        'cases: [{ key: a, input: file://in.json, scorer: eq, expected: file://self.txt }]',
      ),
      'evals/self.txt': 'file://self.txt',
      'evals/in.json': '{"a": "file://in.json", "b": ["file:///etc/passwd"]}',
    });
    expect(messages).toEqual([]);
    expect(suites[0]?.cases[0]).toMatchObject({
      expected: 'file://self.txt',
      input: { a: 'file://in.json', b: ['file:///etc/passwd'] },
    });
  });
});

describe('names that every object has', () => {
  const NAMES = ['__proto__', 'constructor', 'toString'];
  const listed = (text: string) => ({
    'evals/s.suite.yaml': suiteOf(SCORER, 'cases: [file://a.json]'),
    'evals/a.json': `[${text}]`,
  });

  test.each(NAMES)('are no fields: %s', async (name) => {
    const inYaml = (...lines: readonly string[]) => read({ 'evals/s.suite.yaml': suiteOf(...lines) });
    const all = await Promise.all([
      inYaml(`${name}: 1`, SCORER, CASE),
      inYaml(SCORER, `cases: [{ key: a, input: {}, scorer: eq, ${name}: { threshold: 0 } }]`),
      inYaml(`scorers: { eq: { type: exact_match, config: {}, ${name}: 1 } }`, CASE),
      inYaml(`scorers: { eq: { type: exact_match, config: { ${name}: 1 } } }`, CASE),
      inYaml(`gates: { ${name}: 1 }`, SCORER, CASE),
      inYaml(`defaults: { ${name}: 1 }`, SCORER, CASE),
      inYaml(`base: &base { ${name}: 1 }`, SCORER, 'cases: [{ key: a, input: {}, scorer: eq, <<: *base }]'),
      read(listed(`{"key": "a", "input": {}, "scorer": "eq", "${name}": {"threshold": 0}}`)),
      read({
        ...listed(''),
        'evals/s.suite.yaml': suiteOf(SCORER, 'cases: [file://a.jsonl]'),
        'evals/a.jsonl': `{"key": "a", "input": {}, "scorer": "eq", "${name}": {"threshold": 0}}\n`,
      }),
    ]);
    for (const { suites, messages } of all) {
      expect({ suites, messages }).toEqual({
        suites: [],
        messages: expect.arrayContaining([
          expect.stringMatching(new RegExp(`${name}( is not a field here|: )| is not the name of a field`)),
        ]),
      });
    }
    expect(({} as { threshold?: number }).threshold).toBeUndefined();
  });

  test('are keys where they are slugs, and parts of documents like any other', async () => {
    for (const name of ['__proto__', 'toString']) {
      const ofCase = await read({
        'evals/s.suite.yaml': suiteOf(SCORER, `cases: [{ key: ${name}, input: {}, scorer: eq }]`),
      });
      const ofScorer = await read({
        'evals/s.suite.yaml': suiteOf(`scorers: { ${name}: { type: exact_match, config: {} } }`),
      });
      const wrong = expect.stringMatching(/: error: .*(only lower-case letters|is not the name of a field)/);
      expect(ofCase.messages).toEqual([expect.stringContaining('cases[0].key: only lower-case letters')]);
      expect(ofScorer.messages[0]).toEqual(wrong);
    }
    const { suites, messages } = await read({
      'evals/s.suite.yaml': suiteOf(
        'scorers: { constructor: { type: exact_match, config: {} } }',
        'cases: [file://a.json]',
      ),
      'evals/a.json':
        '[{"key": "constructor", "scorer": "constructor", "input": {"__proto__": {"a": 1}, "toString": 1}}]',
    });
    expect(messages).toEqual([]);
    expect(JSON.stringify(suites[0]?.cases[0]?.input)).toBe('{"__proto__":{"a":1},"toString":1}');
    const missing = await read({
      'evals/s.suite.yaml': suiteOf(SCORER, 'cases: [{ key: a, input: {}, scorer: constructor }]'),
    });
    expect(missing.messages).toEqual([
      expect.stringMatching(/cases\[0\]\.scorer names no scorer: write "cons/),
    ]);
  });
});

/** Ten levels of ten aliases each. */
const bomb = (first: string) =>
  [`a0: &a0 [${Array(10).fill(first).join(', ')}]`]
    .concat(
      Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(10).fill(`*a${n}`).join(', ')}]`),
    )
    .join('\n');

const ATTACKS: readonly (readonly [string, (place: Place) => void, RegExp])[] = [
  [
    'a bomb of aliases',
    ({ folder }) => writeFiles(folder, { 'evals/s.suite.yaml': suiteOf(bomb('lol'), SCORER, CASE) }),
    /^evals\/s\.suite\.yaml:\d+:\d+: error: aliases make the document larger than 16 MB/,
  ],
  [
    'a bomb in a named file',
    ({ folder }) =>
      writeFiles(folder, {
        'evals/s.suite.yaml': suiteOf(SCORER, 'cases: [{ key: a, input: file://bomb.yaml, scorer: eq }]'),
        'evals/bomb.yaml': bomb('lol'),
      }),
    /^evals\/bomb\.yaml:\d+:\d+: error: aliases make the document larger than 16 MB/,
  ],
  [
    'a bomb that stays below that, and is too large for a case',
    ({ folder }) =>
      writeFiles(folder, {
        'evals/s.suite.yaml': suiteOf(SCORER, 'cases: [{ key: a, input: file://bomb.yaml, scorer: eq }]'),
        'evals/bomb.yaml': bomb('lol').split('\n').slice(0, 5).join('\n'),
      }),
    /^evals\/s\.suite\.yaml:4:\d+: error: cases\[0\]\.input: at most 256 kB of JSON/,
  ],
  [
    'an anchor that holds itself',
    ({ folder }) => writeFiles(folder, { 'evals/s.suite.yaml': suiteOf('x: &x { y: *x }') }),
    /error: the alias \*x names what it stands in/,
  ],
  [
    'a file of more than 6 MB',
    ({ folder }) =>
      writeFiles(folder, { 'evals/s.suite.yaml': `${suiteOf(SCORER, CASE)}#${'x'.repeat(6 * 1_048_576)}\n` }),
    /^evals\/s\.suite\.yaml:1:1: error: the file is too large: at most 6 MB/,
  ],
  [
    'small files that make more than 6 MB',
    ({ folder }) =>
      writeFiles(folder, {
        'evals/s.suite.yaml': suiteOf(
          SCORER,
          'cases:',
          ...Array.from(
            { length: 26 },
            (_, n) => `  - { key: c${n}, scorer: eq, input: {}, expected: file://x.txt }`,
          ),
        ),
        'evals/x.txt': 'x'.repeat(250_000),
      }),
    /^evals\/s\.suite\.yaml:5:\d+: error: is larger than 6 MB, which is the most that can be sent/,
  ],
  [
    'a suite that is a link out of the repository',
    ({ folder, home }) => {
      writeFiles(folder, { 'evals/x.txt': '' });
      writeFileSync(path.join(home, 's.suite.yaml'), suiteOf(SCORER, CASE));
      symlinkSync(path.join(home, 's.suite.yaml'), path.join(folder, 'evals/s.suite.yaml'));
    },
    /^evals\/s\.suite\.yaml:1:1: error: the file leads to a place outside of evalgate\.yaml's folder/,
  ],
  [
    'a suite that is a FIFO',
    ({ folder }) => {
      mkdirSync(path.join(folder, 'evals'));
      execFileSync('mkfifo', [path.join(folder, 'evals/s.suite.yaml')]);
    },
    /^evals\/s\.suite\.yaml:1:1: error: the file is not a regular file/,
  ],
];

describe('nothing of a repository is sent that holds', () => {
  let service: Hostile;
  let place: Place;
  beforeAll(async () => {
    service = await startHostile();
  });
  beforeEach(() => {
    service.answers(json(200, { data: {} }));
    place = aPlace({ EVALGATE_URL: service.url, EVALGATE_API_KEY: 'egk_of-the-tests' });
    writeFiles(place.folder, { 'evalgate.yaml': 'version: 1\nproject: bot\n' });
  });
  afterAll(() => service.stop());

  test.each(ATTACKS)('%s', async (_, make, sentence) => {
    make(place);
    for (const command of ['push', 'diff']) {
      const args = [command, ...(command === 'push' ? ['--allow-weaker', '--prune'] : [])];
      const { code, stdout, stderr } = await place.cli([...args, 'evals/s.suite.yaml']);
      expect({ command, code, stdout }).toEqual({ command, code: 2, stdout: '' });
      expect(stderr).toMatch(sentence);
      expect(stderr).not.toMatch(/^\s+at |node:internal|Error:/m);
    }
    expect(service.seen).toEqual([]);
    place.remove();
  });
});
