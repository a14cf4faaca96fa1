import { expect, test } from '@jest/globals';
import { makeRepository } from '../../files/repository.ts';
import { importIn, loaded } from './importing.ts';

const HELLO = { type: 'contains', value: 'Hello' };
const keysOf = ({ definition }: Awaited<ReturnType<typeof loaded>>) => definition.cases.map(({ key }) => key);
const inputsOf = ({ definition }: Awaited<ReturnType<typeof loaded>>) =>
  definition.cases.map(({ input }) => input);

test('defaults come before the fields of a test, and disableDefaultAsserts leaves them out', async () => {
  const suite = await loaded({
    defaultTest: { vars: { a: 1, b: 1 }, assert: [{ type: 'is-json' }], options: { provider: 'openai:x' } },
    tests: [
      { description: 'One', vars: { b: 2 }, assert: [HELLO] },
      {
        description: 'Two',
        options: { disableDefaultAsserts: true },
        assert: [{ type: 'llm-rubric', value: 'Polite?' }],
      },
    ],
  });
  expect(keysOf(suite)).toEqual(['one-is-json', 'one-contains', 'two-llm-rubric']);
  expect(inputsOf(suite)).toEqual([
    { a: 1, b: 2 },
    { a: 1, b: 2 },
    { a: 1, b: 1 },
  ]);
  expect(suite.report.assertions).toBe(3);
  expect(suite.definition.scorers.get('s-llm-judge')?.config).toMatchObject({ model: 'x' });
});

test('defaults alone are one test, and a config without tests is none', async () => {
  expect(keysOf(await loaded({ defaultTest: { assert: [HELLO] } }))).toEqual(['test-contains']);
  expect((await loaded({ prompts: ['a'] })).report).toMatchObject({ assertions: 0 });
});

test('lists of texts in vars multiply a test, each with its texts filled in', async () => {
  const tests = [
    {
      vars: { name: ['Ann', 'Bob'], at: ['1', '2'], list: [1, 2] },
      assert: [{ type: 'contains', value: '{{name}} {{ at }}' }],
    },
  ];
  const suite = await loaded({ tests });
  expect(suite.report.assertions).toBe(4);
  expect(inputsOf(suite)).toContainEqual({ name: 'Bob', at: '1', list: [1, 2] });
  expect([...suite.definition.scorers.values()].map(({ config }) => config.values)).toContainEqual(['Bob 1']);
  const whole = await loaded({ tests, defaultTest: { options: { disableVarExpansion: true } } });
  expect(inputsOf(whole)).toEqual([]);
  expect(whole.report).toMatchObject({ assertions: 1, not_mapped: 1 });
});

test('a template may name a variable that names another, and not itself', async () => {
  const vars = { a: '{{b}}!', b: 'Hi', c: '{{c}}' };
  const { definition, report } = await loaded({
    tests: [
      {
        vars,
        assert: [
          { type: 'equals', value: '{{a}}' },
          { type: 'equals', value: '{{c}}' },
        ],
      },
    ],
  });
  expect(definition.cases[0]).toMatchObject({ expected: 'Hi!', input: vars });
  expect(report.not_mapped).toBe(1);
});

test('sets without a threshold are their assertions; what a threshold decides is not mapped', async () => {
  const set = { type: 'assert-set', assert: [HELLO, { type: 'assert-set', assert: [HELLO] }] };
  const { report } = await loaded({
    tests: [
      { assert: [set, { ...set, threshold: 0.5 }, { ...set, threshold: null }] },
      { threshold: 0.5, assert: [set] },
      { assertScoringFunction: 'file://score.js', assert: [HELLO] },
    ],
  });
  expect(report).toMatchObject({ assertions: 9, mapped: 4, not_mapped: 5 });
  expect(report.missing.map(({ reason }) => reason).sort()).toEqual([
    'is in an assert-set with a threshold',
    'its test has a threshold of its own',
    'its test has an assertScoringFunction',
  ]);
});

test('each set of a scenario is tried with each of its tests, and without tests alone', async () => {
  const suite = await loaded({
    defaultTest: { assert: [HELLO] },
    scenarios: [
      {
        config: [{ vars: { l: 'de' } }, { vars: { l: 'fr' }, assert: [HELLO] }],
        tests: [{ vars: { q: 1 } }, { vars: { q: 2 } }],
      },
      { config: [{ vars: { l: 'it' } }] },
    ],
  });
  expect(inputsOf(suite)).toEqual([
    { l: 'de', q: 1 },
    { l: 'de', q: 2 },

    { l: 'fr', q: 1 },
    { l: 'fr', q: 1 },
    { l: 'fr', q: 2 },
    { l: 'fr', q: 2 },
    { l: 'it' },
  ]);
});

test('no key depends on the order of tests that begin alike, or have no text', async () => {
  const tests = [
    ...['a', 'b'].map((more) => ({ vars: { system: 'You are a bot', more }, assert: [HELLO] })),
    ...[1, 2].map((count) => ({ vars: { count }, assert: [HELLO] })),
  ];
  const keysIn = async (order: readonly object[]) => {
    const { definition } = await loaded({ tests: order });
    return Object.fromEntries(definition.cases.map(({ key, input }) => [JSON.stringify(input), key]));
  };
  const keys = await keysIn(tests);
  expect(new Set(Object.values(keys)).size).toBe(4);
  expect(await keysIn(tests.toReversed())).toEqual(keys);
});

test('tests, defaults, variables and assertions come from files', async () => {
  const suite = await loaded(
    {
      defaultTest: 'file://shared/default.yaml',
      tests: [
        'file://tests/*.yaml',
        'more.json',
        { vars: 'file://vars/a.yaml', assert: [{ value: 'file://shared/asserts.yaml' }] },
      ],
    },
    {
      'shared/default.yaml': 'options: { provider: openai:m }\n',
      'shared/asserts.yaml':
        '- { type: equals, value: file://answer.txt }\n- { value: file://nested.json }\n',
      'shared/nested.json': '[{"type": "is-json", "value": "file://shared/schema.json"}]',
      'shared/answer.txt': ' 30 days \n',
      'shared/schema.json': '{"type": "object"}',
      'tests/1.yaml':
        '- description: First\n  vars: { text: file://text.md, data: file://data.yaml }\n  assert: [{ type: is-json }]\n',
      'tests/2.yaml': 'description: Second\nassert: [{ type: is-json }]\n',
      'text.md': ' Hi\n',
      'data.yaml': 'b: [1]\n',
      'more.json': '[{"description": "Third", "assert": [{"type": "is-json"}]}, "file://lines.jsonl"]',
      'lines.jsonl': '{"description": "Fourth", "assert": [{"type": "is-json"}]}\n',
      'vars/a.yaml': 'q: 1\n',
    },
  );
  expect(keysOf(suite)).toEqual([
    'first-is-json',
    'second-is-json',
    'third-is-json',
    'fourth-is-json',
    'test-6ae0f660-equals',
    'test-6ae0f660-is-json',
  ]);
  expect(inputsOf(suite)[0]).toEqual({ text: 'Hi', data: '{"b":[1]}' });
  expect(suite.definition.cases[4]).toMatchObject({ expected: '30 days', input: { q: 1 } });
  expect(suite.report.not_mapped).toBe(0);
});

test.each(['.promptfoo'])('a config in %s is read with the files that it names', async (at) => {
  const folder = makeRepository({
    [`${at}/promptfooconfig.yaml`]: 'tests: [file://tests/*.yaml, file://more.csv]\n',
    [`${at}/tests/a.yaml`]: '- assert: [{ type: equals, value: file://answer.txt }]\n',
    [`${at}/answer.txt`]: 'Yes',
    [`${at}/more.csv`]: 'q,__expected\na,b\n',
  });
  const { imported } = await importIn(folder, `${at}/promptfooconfig.yaml`);
  expect(imported?.report).toMatchObject({ assertions: 2, mapped: 2 });
});

const FINE = '{ assert: [{ type: is-json }] }';

test.each([
  ['a file of tests that is gone', `tests: [${FINE}, 'file://gone.yaml']`],
  ['a pattern that names no file', `tests: [${FINE}, 'file://gone/*.yaml']`],
  ['a file that is refused', `tests: [${FINE}, 'file://.env.yaml']`],
  [
    'a file of a variable that is gone',
    `tests: [{ vars: { q: 'file://gone.txt' }, assert: [{ type: is-json }] }]`,
  ],
  [
    'a file of an assertion that is gone',
    `tests: [{ assert: [{ type: is-json }, { type: equals, value: 'file://gone.txt' }] }]`,
  ],
  ['a file of defaults that is gone', `defaultTest: file://gone.yaml\ntests: [${FINE}]`],
  ['a file of a provider that is gone', `providers: ['file://gone.yaml']\ntests: [${FINE}]`],
  ['a quote of CSV that is not closed', `tests: [${FINE}, 'file://broken.csv']`],
])('%s is an error, though other tests are read', async (_, config) => {
  const folder = makeRepository({
    'promptfooconfig.yaml': config,
    '.env.yaml': `- ${FINE}\n`,
    'broken.csv': 'q,__expected\na,"b\n',
  });
  const { imported } = await importIn(folder, 'promptfooconfig.yaml');
  expect(imported).toBeUndefined();
});

test('columns of a CSV file are variables and assertions', async () => {
  const { definition, report, outputs } = await loaded('tests: file://tests.csv', {
    'tests.csv': [
      'q,__expected1,__expected2,__description,__metric,__providerOutput,__config:__expected2:threshold,__metadata:x',
      '"Say ""hi"",',
      'please",contains: hi,levenshtein(2):abcdefghij,Greets,Tone,"hi, you",3,y',
      'Bye,Goodbye,"javascript: output.length < 10",,,,,',
      'All,"contains-all: a, b",similar(0.9):x,,,,,',
      'Rubric,grade: polite?,python: x,,,,,',
      'File,file://check.py:f,foo:bar,,,,,',
      '',
    ].join('\n'),
  });
  expect(definition.cases.map(({ key, name, expected }) => [key, name, expected])).toEqual([
    ['greets-contains', 'Greets / Tone', null],
    ['greets-levenshtein', 'Greets / Tone', 'abcdefghij'],
    ['bye-equals', 'Bye / equals', 'Goodbye'],
    ['bye-javascript', 'Bye / javascript', null],
    ['all-contains-all', 'All / contains-all', null],
    ['rubric-llm-rubric', 'Rubric / llm-rubric', null],
    ['file-equals', 'File / equals', 'foo:bar'],
  ]);
  expect(definition.cases[0]?.input).toEqual({ q: 'Say "hi",\nplease' });
  expect(definition.cases[1]?.threshold).toBeCloseTo(10 / 13);
  expect(outputs).toEqual([{ case: ['greets-contains', 'greets-levenshtein'], output: 'hi, you' }]);
  expect(report).toMatchObject({ assertions: 10, not_mapped: 3 });
  expect(report.missing.flatMap(({ places }) => places.map(({ file, line }) => `${file}:${line}`))).toEqual(
    expect.arrayContaining(['tests.csv:5', 'tests.csv:6', 'tests.csv:7']),
  );
});

test('tests of programs, spreadsheets and other services are listed and not read', async () => {
  const { report } = await loaded({
    tests: [
      'file://generate.py:tests',
      { path: 'file://generate.js', config: {} },
      'file://tests.xlsx#2',
      'huggingface://datasets/a/b',
      'https://docs.google.com/spreadsheets/d/1?key=sk-abcdefghij',
      { assert: [HELLO] },
    ],
  });
  expect(report.unread).toHaveLength(5);
  expect(report.assertions).toBe(1);
  expect(JSON.stringify(report)).not.toContain('sk-');
});

test('rows in YAML are read as those of CSV, and a name that nearly matches one of its columns is not read', async () => {
  const suite = await loaded(
    { tests: [{ path: 'file://rows.yaml' }, 'file://more.yaml', 'file://t.csv', 'file://none.csv'] },
    {
      'rows.yaml': '- { q: a, n: 1, __expected: "contains: x", __metric: Tone }\n- { q: b }\n',
      'more.yaml':
        '- { q: c, __expected1: "equals: y", __expected2: z }\n- { vars: { q: d }, __expected: z }\n',
      't.csv':
        'q,_expected,__expect,assert,__config:__expected:max,__config:__expected:threshold,__expected\na,b,c,d,e,f,is-json\n',
      'none.csv': '__expected,__threshold\nis-json,0\nis-json,\nis-json,half\n',
    },
  );
  expect(suite.definition.cases.map(({ name, input }) => [name, input])).toEqual([
    ['a / Tone', { q: 'a', n: '1' }],
    ['c / equals', { q: 'c' }],
    ['c / equals', { q: 'c' }],
    ['a / is-json', { q: 'a', _expected: 'b', __expect: 'c', assert: 'd' }],
    ['test-2 / is-json', {}],
    ['test-3 / is-json', {}],
  ]);
  expect(suite.report.missing.map(({ reason }) => reason).sort()).toEqual([
    'is below `__expected`, which is not a field there: assertions belong in `assert` of a test, or of defaultTest',
    'is in a variable: write `assert` beside `vars`',
    'its test has a threshold of its own',
  ]);
  expect(suite.report.unread.map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([
    't.csv:1 the column `_expected` is a variable: did you mean __expected, or another one with "__"?',
    't.csv:1 the column `__expect` is not known here',
    't.csv:1 the column `assert` is a variable: did you mean __expected, or another one with "__"?',
    't.csv:1 the column `__config:__expected:max` is not known here',
    't.csv:2 the column `__config:__expected:threshold` has no number here',
    'none.csv:4 the column `__threshold` has no number here',
    expect.stringMatching(/^more\.yaml:2 `__expected` is not a field here/),
  ]);
});
