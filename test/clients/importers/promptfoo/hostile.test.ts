import { existsSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { makeRepository } from '../../files/repository.ts';
import { asserting, configOf, importIn, loaded } from './importing.ts';

const KEYS = [
  'sk-proj-abcdefgh12345678',
  'AIzaSyA1234567890abcdefghij',
  'ghp_abcdefghij1234567890',
  'AKIAABCDEFGHIJKLMNOP',
];

test('no key is copied: of providers, headers, env, judges, variables, values or outputs', async () => {
  const [one = '', two = '', three = '', four = ''] = KEYS;
  const suite = await loaded({
    description: four,
    env: { OPENAI_API_KEY: one },
    providers: [{ id: 'openai:gpt-5', config: { apiKey: one, headers: { Authorization: `Bearer ${two}` } } }],
    defaultTest: { options: { provider: { id: 'openai:gpt-5', config: { apiKey: three } } } },
    tests: [
      {
        description: `Uses ${one}`,
        vars: { q: 'Hi', token: four, nested: { deep: [one] } },
        metadata: { key: one },
        providerOutput: `The key is ${two}`,
        assert: [
          { type: 'llm-rubric', value: 'Polite?', metric: two },
          { type: 'not-contains', value: three },
          { type: 'llm-rubric', value: 'Polite?', provider: `openai:${one}` },
          { type: 'contains', value: 'a', config: { apiKey: four } },
        ],
      },
    ],
  });
  const all = JSON.stringify(suite) + suite.text;
  for (const key of KEYS) expect(all).not.toContain(key);
  expect(suite.definition.cases[0]?.input).toEqual({ q: 'Hi' });
  expect(suite.report).toMatchObject({ assertions: 4, not_mapped: 1 });
  expect(suite.report.notes.map(({ message }) => message)).toEqual([
    'the variable "token" is left out: it looks like a key',
    'the variable "nested" is left out: it looks like a key',
    'its providerOutput is left out: it looks like a key',
  ]);
});

test.each([
  'sk_live_abcdefgh12345678',
  'rk_test_abcdefgh12345678',
  'whsec_abcdefgh12345678',
  'glpat-abcdefgh12345678abcd',
  'npm_abcdefghij1234567890abcdefghij123456',
  'ASIAABCDEFGHIJKLMNOP',
  'xapp-1-A012345-678',
  'xai-abcdefgh12345678abcd',
  'pplx-abcdefgh12345678abcd',
  'ya29.abcdefgh12345678abcd',
  'Bearer abcdefgh12345678abcd',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abcdefgh12345678abcd',
])('%s is no variable of a case', async (key) => {
  const assert = [{ type: 'contains', value: 'a' }];
  const suite = await loaded({ tests: [{ vars: { q: 'Hi', key: `with ${key}` }, assert }] });
  expect(suite.definition.cases[0]?.input).toEqual({ q: 'Hi' });
});

test('nothing is executed, whatever a config names', async () => {
  const touch = "require('fs').writeFileSync('ran', '1')";
  const folder = makeRepository({
    ...configOf({
      prompts: ['file://run.js'],
      providers: ['file://run.js', 'exec: touch ran'],
      extensions: ['file://run.js:hook'],
      tests: [
        'file://run.js',
        {
          vars: { a: 'file://run.js', b: '{{ range.constructor("return 1")() }}' },
          assert: [
            { type: 'javascript', value: touch },
            { type: 'equals', value: '{{b}}' },
          ],
        },
        {
          assert: [
            { type: 'equals', value: 'file://run.js' },
            { type: 'python', value: 'file://run.py' },
          ],
        },
      ],
    }),
    'run.js': touch,
    'run.py': "open('ran', 'w')",
  });
  const { imported } = await importIn(folder);
  expect(imported?.report).toMatchObject({ assertions: 4, not_mapped: 4 });
  expect(existsSync(path.join(folder, 'ran'))).toBe(false);
});

describe('a file is refused with a sentence, and nothing is imported', () => {
  const refused = async (folder: string) => {
    const { imported, messages } = await importIn(folder);
    expect(imported).toBeUndefined();
    return messages;
  };
  const messagesOf = (config: unknown, files: Readonly<Record<string, string>> = {}) =>
    refused(makeRepository({ ...configOf(config), ...files }));

  test('that lies outside, by its path or by a link, or that git ignores', async () => {
    const outside = makeRepository({ 'secret.yaml': '- assert: []\n' });
    for (const tests of ['file://../secret.yaml', `file://${outside}/secret.yaml`, 'file://../*.yaml']) {
      expect(await messagesOf({ tests })).toEqual([
        expect.stringMatching(/leads out of|is an absolute path|must be a path below/),
      ]);
    }
    const files = { 'secret.yaml': '[]', '.gitignore': 'secret.yaml\n' };
    expect(await messagesOf({ tests: 'file://secret.yaml' }, files)).toEqual([
      expect.stringMatching(/is ignored by git/),
    ]);
    const folder = makeRepository(configOf({ tests: 'file://linked.yaml' }));
    symlinkSync(path.join(outside, 'secret.yaml'), path.join(folder, 'linked.yaml'));
    expect(await refused(folder)).toEqual([expect.stringMatching(/leads to a place outside/)]);
    for (const config of [
      { tests: [{ vars: { a: 'file://../a.txt' } }] },
      asserting({ type: 'equals', value: 'file://../a.txt' }),
    ]) {
      expect(await messagesOf(config)).toEqual([expect.stringMatching(/file:\/\/\.\.\/a\.txt leads out of/)]);
    }
  });

  test('that names itself, at once or by others', async () => {
    expect(await messagesOf({ tests: 'file://a.yaml' }, { 'a.yaml': '- file://a.yaml\n' })).toEqual([
      expect.stringMatching(/^a\.yaml:1:3: error: file:\/\/a\.yaml names a file that names it again/),
    ]);
    const both = { 'a.yaml': '- file://b.yaml\n', 'b.yaml': '- file://a.yaml\n' };
    expect(await messagesOf({ tests: 'file://a.yaml' }, both)).toEqual([
      expect.stringMatching(/names it again/),
    ]);
    const included = { 'a.yaml': '- { value: file://b.yaml }\n', 'b.yaml': '- { value: file://a.yaml }\n' };
    expect(await messagesOf(asserting({ value: 'file://a.yaml' }), included)).toEqual([
      expect.stringMatching(/names it again/),
    ]);
  });

  test('whose aliases, references or lists make too much of it', async () => {
    const bomb = Array.from(
      { length: 9 },
      (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(', ')}]`,
    );
    const aliases = ['a0: &a0 [lol, lol]', ...bomb, 'tests: *a9', ''].join('\n');
    expect(await messagesOf(aliases)).toEqual([
      expect.stringMatching(/aliases make the document larger than 16 MB/),
    ]);
    const templates = Object.fromEntries(
      Array.from({ length: 9 }, (_, n) => [`t${n + 1}`, Array(9).fill({ $ref: `#/t${n}` })]),
    );
    const sets = { ...templates, t0: { type: 'is-json' } };
    const nested = Object.fromEntries(
      Array.from({ length: 9 }, (_, n) => [
        `s${n + 1}`,
        { type: 'assert-set', assert: Array(9).fill({ $ref: `#/s${n}` }) },
      ]),
    );
    expect(
      await messagesOf({
        ...sets,
        s0: { type: 'is-json' },
        ...nested,
        tests: [{ assert: [{ $ref: '#/s9' }] }],
      }),
    ).toEqual([expect.stringMatching(/has 100000 assertions or more/)]);
    expect(await messagesOf({ a: { $ref: '#/b' }, b: { $ref: '#/a' }, tests: [] })).toEqual([
      expect.stringMatching(/leads to itself/),
    ]);
    const chain = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, n) => [`c${n}`, { $ref: `#/c${n + 1}` }]),
    );
    expect((await messagesOf({ ...chain, tests: [] }))[0]).toMatch(/is one of too many in a row/);
    const ten = Array.from({ length: 10 }, (_, n) => String(n));
    const vars = Object.fromEntries(ten.map((name) => [`v${name}`, ten]));
    expect(await messagesOf({ tests: [{ vars, assert: [{ type: 'is-json' }] }] })).toEqual([
      expect.stringMatching(/make more than 10000 tests/),
    ]);
  });

  test('that makes more than a suite can be', async () => {
    const numbers = Array.from({ length: 200 }, (_, n) => String(n));
    const assert = [{ type: 'is-json' }];
    const tests = [{ vars: { a: numbers, b: numbers.slice(0, 50) }, assert }, { assert }];
    expect(await messagesOf({ tests })).toEqual([
      expect.stringMatching(/makes more than 10000 cases from here on/),
    ]);
    const text = { text: 'x'.repeat(200_000) };
    const large = { defaultTest: { vars: text }, tests: Array(40).fill({ assert }) };
    expect(await messagesOf(large)).toEqual([expect.stringMatching(/makes a suite of more than 6 MB/)]);
  });

  test('that is no config, no list of tests, or nests too deep', async () => {
    expect(await messagesOf('just text')).toEqual([expect.stringMatching(/is no config of promptfoo/)]);
    expect(await messagesOf('tests: [5]')).toEqual([expect.stringMatching(/is no test/)]);
    expect(await messagesOf('tests: [{ assert: { type: is-json } }]')).toEqual([
      expect.stringMatching(/must be a list of assertions/),
    ]);
    expect(await messagesOf('defaultTest: shared.yaml')).toEqual([
      expect.stringMatching(/must be a map, or file:/),
    ]);
    expect(await messagesOf('a: [')).toEqual([expect.stringMatching(/is not YAML/)]);
    expect(await messagesOf(`tests: ${'['.repeat(10_000)}`)).toEqual([
      expect.stringMatching(/nests too deep/),
    ]);
    expect(await messagesOf({ tests: 'file://t.csv' }, { 't.csv': 'a,b\n1\n' })).toEqual([
      expect.stringMatching(/^t\.csv:2:1: error: has 1 fields, and the first line has 2/),
    ]);
  });

  test('that has a name of every object', async () => {
    expect(await messagesOf('tests: [{ vars: { __proto__: { a: 1 } } }]')).toEqual([
      expect.stringMatching(/__proto__ is not the name/),
    ]);
    const jsonl = '{"vars": {"__proto__": {"a": 1}}, "assert": []}\n';
    expect(await messagesOf({ tests: 'file://t.jsonl' }, { 't.jsonl': jsonl })).toEqual([
      expect.stringMatching(/is no test/),
    ]);
    expect(await messagesOf({ tests: 'file://t.csv' }, { 't.csv': '__proto__\n1\n' })).toEqual([
      expect.stringMatching(/__proto__ is not the name of a column/),
    ]);
  });
});

test('other names of every object are names like any other', async () => {
  const vars = { constructor: 'a', toString: 'b', hasOwnProperty: 'c', '<<': 'd' };
  const { definition, text } = await loaded({
    tests: [{ vars, assert: [{ type: 'equals', value: '{{constructor}}' }] }],
  });
  expect(definition.cases[0]).toMatchObject({ expected: 'a' });
  expect(Object.entries(definition.cases[0]?.input ?? {})).toEqual(Object.entries(vars));
  expect(text).toContain('"<<": d');
});

test('a value of a megabyte is too long, and stops nothing', async () => {
  for (const value of [
    `{% raw %}${'x'.repeat(1_000_000)}{% endraw %}`,
    `"${'x'.repeat(1_000_000)}`,
    '{{q}}'.repeat(200_000),
  ]) {
    const { report } = await loaded(asserting({ type: 'contains-any', value }, { type: 'is-json' }));
    expect(report).toMatchObject({ mapped: 1, missing: [{ reason: 'its value is too long' }] });
  }
  const just = '"'.repeat(262_000);
  const { report } = await loaded(asserting({ type: 'contains-any', value: just }));
  expect(report.not_mapped).toBe(1);
});

test('a config that is a program is refused', async () => {
  const folder = makeRepository({ 'promptfooconfig.js': 'tests: []' });
  expect((await importIn(folder, 'promptfooconfig.js')).messages).toEqual([
    'promptfooconfig.js:1:1: error: is a program, and nothing is executed: name a config in YAML or JSON',
  ]);
});
