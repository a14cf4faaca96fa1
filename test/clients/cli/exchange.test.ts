import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { makeRepository, writeFiles } from '../files/repository.ts';
import { aPlace } from './cli.ts';
import { said } from './inProcess.ts';

/** In the shape of promptfoo's own examples: a table of tests, single checks, and defaults for all tests. */
const TRANSLATIONS = {
  'translate/promptfooconfig.yaml':
    'description: Translates\nprompts: [file://p.txt]\nproviders: [openai:m]\ntests: file://tests.csv\n',
  'translate/tests.csv':
    'language,body,__expected\nGerman,"Good day",icontains:guten tag\nItalian,"I\'m tired",icontains:stanco\n',
};
const CHECKS = {
  'checks/promptfooconfig.yaml': `prompts: [file://p.txt]
providers: [openai:m]
tests:
  - { description: The very word, vars: { body: On }, assert: [{ type: equals, value: Off }] }
  - description: Several ways
    vars: { body: Hi }
    assert:
      - { type: javascript, value: output.startsWith('A') }
      - { type: python, value: 'len(output) > 3' }
      - { type: similar, value: Hello }
      - $ref: '#/assertionTemplates/sorry'
assertionTemplates:
  sorry: { type: not-icontains, value: sorry }
`,
};
const RIDDLES = {
  'riddles/promptfooconfig.yaml': `prompts: ['Solve: {{riddle}}']
providers: [openai:a, openai:b]
defaultTest:
  assert:
    - { type: cost, threshold: 0.01 }
    - { type: latency, threshold: 3000 }
tests:
  - { vars: { riddle: one }, providerOutput: An echo., assert: [{ type: contains, value: echo }, { type: llm-rubric, value: Is short }] }
  - { vars: { riddle: two } }
`,
};

const imported = (folder: string, ...args: readonly string[]) =>
  said(folder, ['import', 'promptfoo', ...args]);

test('configs of three shapes are imported beside each other: counts add up, and the suites are valid', async () => {
  const folder = makeRepository({ ...TRANSLATIONS, ...CHECKS, ...RIDDLES });
  const countsOf = async (name: string, ...args: readonly string[]) => {
    const { code, stdout } = await imported(folder, `${name}/promptfooconfig.yaml`, '--json', ...args);
    const { assertions, mapped, mapped_with_difference, not_mapped } = JSON.parse(stdout);
    return { code, counts: [assertions, mapped, mapped_with_difference, not_mapped] };
  };
  expect(await countsOf('translate')).toEqual({ code: 0, counts: [2, 2, 0, 0] });
  expect(await countsOf('checks')).toEqual({ code: 0, counts: [5, 3, 0, 2] });
  expect(await countsOf('riddles', '--judge', 'openai/gpt-5')).toEqual({ code: 0, counts: [6, 1, 5, 0] });
  expect(await said(folder, ['validate'])).toEqual({
    code: 0,
    stderr: '',
    stdout: [
      'checks  3 cases, 3 scorers  evals/checks/checks.suite.yaml',
      'riddles  6 cases, 4 scorers  evals/riddles/riddles.suite.yaml',
      'translate  2 cases, 2 scorers  evals/translate/translate.suite.yaml',
      '',
    ].join('\n'),
  });
  expect(readFileSync(path.join(folder, 'evals/riddles/outputs.jsonl'), 'utf8')).toBe(
    '{"case":["one-cost","one-latency","one-contains","one-llm-rubric"],"output":"An echo."}\n',
  );
  expect(readFileSync(path.join(folder, 'evals/riddles/questions.jsonl'), 'utf8').split('\n')).toEqual([
    '{"case":["one-cost","one-latency","one-contains","one-llm-rubric"],"input":{"riddle":"one"}}',
    '{"case":["two-cost","two-latency"],"input":{"riddle":"two"}}',
    '',
  ]);
});

test('the report lists each assertion with its result, on stdout and in Markdown', async () => {
  const folder = makeRepository(CHECKS);
  const { stdout, stderr } = await imported(folder, 'checks/promptfooconfig.yaml');
  expect(stdout).toMatch(
    /^checks\/promptfooconfig\.yaml: 5 assertions: 3 mapped, 0 mapped with a difference, 2 not mapped$/m,
  );
  expect(stdout).toMatch(/^- the type python: 1\n {2}- checks\/promptfooconfig\.yaml:9 python$/m);
  expect(stderr).toMatch(
    /^wrote evals\/checks\/checks\.suite\.yaml\nwrote evals\/checks\/import-report\.md\nwrote evals\/checks\/questions\.jsonl\n2 assertions can.t be mapped: judge them there still, or by cases of your own.*\nNext: evalgate validate evals/,
  );
  expect(readFileSync(path.join(folder, 'evals/checks/import-report.md'), 'utf8')).toMatch(
    /^- the type python: 1\n {2}- `checks\/promptfooconfig\.yaml:9` `python`$/m,
  );
  writeFileSync(path.join(folder, 'evalgate.yaml'), 'version: 1\nproject: bot\n');
  const again = await imported(folder, 'checks/promptfooconfig.yaml');
  expect(again.stderr).toContain('Next: evalgate push, then evalgate ask checks --run');
});

test('foreign words in a report are words: no markup, no order to a terminal or a runner', async () => {
  const type = '`<img src=x>` @all ##[error]\u001b[31m\n::stop-commands::x';
  const folder = makeRepository({ 'p.yaml': JSON.stringify({ tests: [{ assert: [{ type }] }] }) });
  const place = aPlace();
  const { stdout } = await place.cli(['import', 'promptfoo', 'p.yaml'], {
    cwd: folder,
    env: { GITHUB_ACTIONS: 'true' },
  });
  place.remove();
  expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}|##\[/u);
  expect(stdout).not.toMatch(/^\s*::/m);
  expect(readFileSync(path.join(folder, 'evals/p/import-report.md'), 'utf8')).not.toMatch(/<img|@all|\u001b/);
});

test('--strict writes nothing and is 2 unless everything is mapped', async () => {
  const folder = makeRepository({ ...CHECKS, ...TRANSLATIONS });
  const { code, stdout, stderr } = await imported(folder, 'checks/promptfooconfig.yaml', '--strict');
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Not everything was mapped') });
  expect(stdout).toContain('the type python');
  expect(existsSync(path.join(folder, 'evals'))).toBe(false);
  expect(await imported(folder, 'translate/promptfooconfig.yaml', '--strict')).toMatchObject({ code: 0 });
  const fine = '- assert: [{ type: is-json }]';
  for (const [name, text] of Object.entries({
    program: 'tests: file://tests.py\n',
    misspelt: `tests:\n${fine}\ndefaultTests: { assert: [{ type: contains, value: x }] }\n`,
    field: `tests:\n${fine}\n  treshold: 0.9\n`,
  })) {
    writeFiles(folder, { [`${name}.yaml`]: text });
    expect([name, await imported(folder, `${name}.yaml`, '--strict')]).toEqual([
      name,
      expect.objectContaining({ code: 2, stderr: expect.stringContaining('Not everything was mapped') }),
    ]);
  }
  expect(existsSync(path.join(folder, 'evals/program'))).toBe(false);
});

test('the head of a suite lists all that it lacks, each with its place', async () => {
  const folder = makeRepository({
    'p.yaml': `tests:
- assert:
    - { type: is-json }
    - { type: "python\\n# x: ##[y]", value: 1 }
- file://tests.py
assert: [{ type: contains, value: x }]
`,
  });
  expect(await imported(folder, 'p.yaml')).toMatchObject({ code: 0 });
  const text = readFileSync(path.join(folder, 'evals/p/p.suite.yaml'), 'utf8');
  expect(text.slice(0, text.indexOf('version: 1')).trimEnd().split('\n')).toEqual([
    '# Imported from promptfoo: import-report.md lists each difference.',
    '# Missing here, since not mapped: 2 of 3 assertions:',
    '# - the type python # x: #\\x23[y]: 1',
    '#   - p.yaml:4 python # x: #\\x23[y]',
    '# - is below `assert`, which is not a field there: assertions belong in `assert` of a test, or of defaultTest: 1',
    '#   - p.yaml:6 contains',
    '# Missing here, since not read:',
    '# - p.yaml:6 `assert` is not a field here: assertions belong in `assert` of a test, or of defaultTest',
    '# - p.yaml:5 tests of a program, a spreadsheet or an image are not read: nothing is executed or fetched',
  ]);
  expect(await said(folder, ['validate'])).toMatchObject({ code: 0 });
});

test('a file that is there is never overwritten, and nothing is written beside it', async () => {
  const folder = makeRepository(TRANSLATIONS);
  const run = () => imported(folder, 'translate/promptfooconfig.yaml', '--out', 'out');
  for (const name of ['import-report.md', 'translate.suite.yaml']) {
    const file = path.join(folder, 'out', name);
    writeFiles(folder, { [`out/${name}`]: 'mine' });
    expect(await run()).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('is there already, and nothing was written'),
    });
    expect({ all: readdirSync(path.join(folder, 'out')), text: readFileSync(file, 'utf8') }).toEqual({
      all: [name],
      text: 'mine',
    });
    rmSync(file);
  }
  symlinkSync('/nowhere', path.join(folder, 'out/import-report.md'));
  expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining('is there already') });
});

test('imports at the same time refuse each other nothing: in a folder without evalgate.yaml, and with one --out', async () => {
  const place = aPlace();
  const names = ['a', 'b', 'c', 'd'];
  const config = 'tests: [{ providerOutput: x, assert: [{ type: contains, value: x }] }]\n';
  for (const name of names) writeFileSync(path.join(place.folder, `${name}.yaml`), config);
  for (const args of [[], ['--out', 'evals/all']]) {
    const all = await Promise.all(
      names.map((name) => place.cli(['import', 'promptfoo', `${name}.yaml`, '--json', ...args])),
    );
    expect(all.map(({ code, stderr }) => [code, stderr.replace(/^(wrote|Next).*\n/gm, '')])).toEqual(
      names.map(() => [0, '']),
    );
    const files = all.flatMap(({ stdout }) => JSON.parse(stdout).files as string[]);
    for (const file of files) expect(existsSync(path.join(place.folder, file))).toBe(true);
    expect(new Set(files).size).toBe(files.length);
  }
  // A suite, its questions, its outputs and its report for each.
  expect(readdirSync(path.join(place.folder, 'evals/all'))).toHaveLength(16);
  place.remove();
});

test.each([
  [
    'a line of JSONL',
    ['jsonl', 'in.jsonl', '--question', 'q', '--expected', 'a'],
    '{"q":"one","a":"1"}\n{"q":"two","a":"2"}\n',
    '{"q":"one","a":"1"}\n{"q":"two","a":"2"\n',
    'in.jsonl:2:1: error: is not JSON',
  ],
  [
    'a quote of CSV that is not closed',
    ['csv', 'in.csv', '--question', 'q', '--expected', 'a'],
    'q,a\none,1\ntwo,2\n',
    'q,a\none,1\n"two,2\n',
    'in.csv:3:1: error: has a quote that is not closed',
  ],
  [
    "a line of OpenAI's evals",
    ['openai-evals', 'in.jsonl'],
    '{"input":"one","ideal":"1"}\n{"input":"two","ideal":"2"}\n',
    '{"input":"one","ideal":"1"}\n{"input":"two"\n',
    'in.jsonl:2:1: error: is not JSON',
  ],
  [
    'a file of tests of promptfoo',
    ['promptfoo', 'in.yaml'],
    'tests:\n- { vars: { q: one }, assert: [{ type: equals, value: "1" }] }\n- file://more.yaml\n',
    'tests:\n- { vars: { q: one }, assert: [{ type: equals, value: "1" }] }\n- file://gone.yaml\n',
    'in.yaml:3:3: error: file://gone.yaml does not exist',
  ],
])(
  '%s that cannot be read ends an import with 2: nothing is written or pruned',
  async (_, args, good, bad, error) => {
    const folder = makeRepository({
      'more.yaml': '- { vars: { q: two }, assert: [{ type: equals, value: "2" }] }\n',
    });
    const [, file = ''] = args;
    const suite = path.join(folder, 'evals/in/in.suite.yaml');
    const run = (text: string, ...more: readonly string[]) => {
      writeFiles(folder, { [file]: text });
      return said(folder, ['import', ...args, ...more]);
    };
    const refused = { code: 2, stderr: expect.stringContaining(error) };
    expect(await run(bad)).toMatchObject(refused);
    expect(existsSync(path.join(folder, 'evals'))).toBe(false);
    expect(await run(good)).toMatchObject({ code: 0 });
    const before = readFileSync(suite, 'utf8');
    for (const more of [[], ['--prune']]) expect(await run(bad, ...more)).toMatchObject(refused);
    expect(readFileSync(suite, 'utf8')).toBe(before);
  },
);

describe('an import of the same config again', () => {
  const CONFIG = `tests:
  - { vars: { q: How long? }, assert: [{ type: contains, value: 30 days }, { type: is-json }] }
  - { vars: { q: How much? }, assert: [{ type: contains, value: nothing }] }
`;
  const again = async (config: string, ...args: readonly string[]) => {
    const folder = makeRepository({ 'p.yaml': CONFIG });
    const suite = path.join(folder, 'evals/p/p.suite.yaml');
    expect(await imported(folder, 'p.yaml')).toMatchObject({ code: 0 });
    const edited = readFileSync(suite, 'utf8')
      .replace('pass_threshold: 1', 'pass_threshold: 0.9 # ours')
      .replace('key: how-long-contains', 'key: how-long-contains\n    must_pass: true');
    writeFileSync(suite, edited);
    writeFiles(folder, { 'p.yaml': config });
    const { code, stderr } = await imported(folder, 'p.yaml', ...args);
    return { folder, code, stderr, edited, text: readFileSync(suite, 'utf8') };
  };

  test('writes nothing where nothing changed', async () => {
    const { code, stderr, edited, text } = await again(CONFIG);
    expect({ code, stderr, text }).toEqual({
      code: 0,
      text: edited,
      stderr:
        '0 cases added, 0 changed, 0 kept\nNext: evalgate validate, then evalgate try p --outputs <file>\n',
    });
  });

  test('brings its cases up to date at any place, and leaves what it did not write', async () => {
    const config = CONFIG.replace(
      '[{ type: contains, value: 30 days }, {',
      '[{ type: starts-with, value: "{" }, { type: contains, value: 60 days }, {',
    );
    const { folder, code, stderr, text } = await again(config);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('1 case added, 1 changed, 0 kept'),
    });
    expect(text).toMatch(/^pass_threshold: 0\.9 # ours$/m);
    expect(text).toMatch(/key: how-long-contains\n {4}must_pass: true/);
    expect(text).toContain('60 days');
    expect(text).not.toContain('30 days');
    expect(text.indexOf('how-long-starts-with')).toBeGreaterThan(text.indexOf('how-much-contains'));
    expect(await said(folder, ['validate'])).toMatchObject({ code: 0, stderr: '' });
  });

  test('keeps cases that it does not make, and deletes them with --prune', async () => {
    const config = CONFIG.split('\n').toSpliced(2, 1).join('\n');
    const kept = await again(config);
    expect(kept.stderr).toContain(
      'warning: no longer made by the import: how-much-contains (--prune deletes them)',
    );
    expect(kept.text).toContain('how-much-contains');
    const pruned = await again(config, '--prune');
    expect(pruned.stderr).toContain('0 cases added, 0 changed, 1 deleted');
    expect(pruned.text).not.toMatch(/how-much-contains|nothing/);
  });

  const edit = async (change: (text: string) => string, config: string) => {
    const folder = makeRepository({ 'p.yaml': CONFIG });
    const suite = path.join(folder, 'evals/p/p.suite.yaml');
    await imported(folder, 'p.yaml');
    const before = readFileSync(suite, 'utf8');
    const edited = change(before);
    expect(edited).not.toBe(before);
    writeFileSync(suite, edited);
    writeFiles(folder, { 'p.yaml': config });
    const { code, stderr } = await imported(folder, 'p.yaml');
    expect({ code, valid: (await said(folder, ['validate'])).code }).toEqual({ code: 0, valid: 0 });
    return { folder, stderr, edited, text: readFileSync(suite, 'utf8') };
  };
  const banning = (text: string) =>
    text
      .replace('- 30 days\n', '- 30 days\n        - never 31 days\n')
      .replace('- 30 days', '- 30 days # ours');
  const SIXTY = CONFIG.replace('30 days', '60 days');

  test('keeps a scorer that was changed in the file, and all that its cases have', async () => {
    const same = await edit(banning, CONFIG);
    expect([same.text, same.stderr]).toEqual([same.edited, expect.stringContaining('0 changed')]);
    const { text, stderr } = await edit(banning, SIXTY);
    expect(text).toContain('never 31 days');
    expect(text).not.toContain('60 days');
    expect(stderr).toContain(
      'warning: changed since the last import, and left so, while the import makes others now: how-long-contains (delete',
    );
  });

  test('judges a new case of a scorer that was changed in the file by the changed one', async () => {
    const more = `${CONFIG}  - { vars: { q: And how? }, assert: [{ type: contains, value: 30 days }] }\n`;
    const { folder, text } = await edit(banning, more);
    expect(text.match(/never 31 days/g)).toHaveLength(1);
    const exported = await said(folder, ['export', 'promptfoo', 'evals/p/p.suite.yaml']);
    expect(exported.stdout.match(/never 31 days/g)).toHaveLength(2);
  });

  test.each([
    ['its expected text', (text: string) => text.replace('name: How long? / contains', 'name: Ours')],
    [
      'whether it is active',
      (text: string) =>
        text.replace('key: how-long-contains', 'key: how-long-contains\n    is_active: false'),
    ],
    [
      'its threshold',
      (text: string) => text.replace('key: how-long-contains', 'key: how-long-contains\n    threshold: 1'),
    ],
    [
      'its scorer, which is a new one',
      (text: string) =>
        text
          .replace('scorers:\n', 'scorers:\n  mine: { type: contains, config: { values: ["31 days"] } }\n')
          .replace('scorer: p-contains\n', 'scorer: mine\n'),
    ],
  ])(
    'keeps a case of which %s was changed in the file, and names it where the config changed, too',
    async (_, change) => {
      const same = await edit(change, CONFIG);
      expect(same.text).toBe(same.edited);
      const { text, stderr } = await edit(change, SIXTY);
      expect(text).toBe(same.edited);
      expect(text).not.toContain('60 days');
      expect(stderr).toContain('the import makes others now: how-long-contains');
    },
  );

  test('makes a case again that was deleted in the file, and names it', async () => {
    const { stderr, text } = await edit(
      (before) => before.replace(/ {2}- key: how-much-contains[\s\S]*$/, ''),
      CONFIG,
    );
    expect(text).toContain('how-much-contains');
    expect(stderr).toContain('warning: deleted since the last import, and made again: how-much-contains');
  });

  test('changes a suite with other comments at its head, and leaves these', async () => {
    const config = CONFIG.replace('is-json }]', 'is-json }, { type: python, value: x }]');
    for (const change of [
      (text: string) => `# yaml-language-server: $schema=x\n${text}`,
      (text: string) => `# ours\n\n${text}`,
      (text: string) => text.replace('\nversion', '\n# ours, too\nversion'),
    ]) {
      const { text } = await edit(change, config);
      expect(text).toContain('# Missing here, since not mapped: 1 of 4 assertions:\n# - the type python: 1');
      expect(text.startsWith(change('')) || text.includes('\n# ours, too\n')).toBe(true);
    }
    const { text } = await edit((before) => before.replace(/^# Imported[^\n]*\n/, '# ours\n'), config);
    expect(text.startsWith('# ours\n')).toBe(true);
  });

  test('changes no case where the report does not say what the import before wrote', async () => {
    const folder = makeRepository({ 'p.yaml': CONFIG });
    await imported(folder, 'p.yaml');
    const report = path.join(folder, 'evals/p/import-report.md');
    writeFileSync(report, readFileSync(report, 'utf8').replace(/<!--[\s\S]*/, ''));
    writeFiles(folder, { 'p.yaml': SIXTY });
    const { stderr } = await imported(folder, 'p.yaml');
    expect(stderr).toContain('the import makes others now: how-long-contains');
    expect(readFileSync(path.join(folder, 'evals/p/p.suite.yaml'), 'utf8')).not.toContain('60 days');
  });

  test('leaves questions that were answered', async () => {
    const folder = makeRepository({ 'p.yaml': CONFIG });
    await imported(folder, 'p.yaml');
    const questions = path.join(folder, 'evals/p/questions.jsonl');
    writeFileSync(questions, '{"case":["how-long-contains"],"output":"30 days"}\n');
    expect((await imported(folder, 'p.yaml')).stderr).toContain('kept questions.jsonl');
    expect(readFileSync(questions, 'utf8')).toContain('"output":"30 days"');
  });
});

test('rubrics without a judge are mapped by the one option that the end of the report names', async () => {
  const folder = makeRepository(RIDDLES);
  const first = await imported(folder, 'riddles/promptfooconfig.yaml');
  expect(first.stderr).toContain(
    '1 assertion needs a model that judges: import again with --judge openai/gpt-5, or with another',
  );
  const second = await imported(
    folder,
    'riddles/promptfooconfig.yaml',
    '--judge',
    'openai/gpt-5',
    '--strict',
  );
  expect(second).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('1 case added, 0 changed, 0 kept'),
  });
});

test.each([
  [['csv', 'faq.csv'], 'Give the fields of questions and of expected answers.'],
  [['csv', 'none.csv', '--question', 'q', '--expected', 'a'], 'none.csv:1:1: error: the file does not exist'],
  [
    ['csv', 'faq.csv', '--question', 'x', '--expected', 'a'],
    'has no field x for --question: its fields are q, a',
  ],
  [['csv', 'faq.csv', '--question', 'q', '--expected', 'a', '--scorer', 'x'], '--scorer x is not known.'],
  [
    ['jsonl', 'faq.csv', '--question', 'q', '--expected', 'a', '--scorer', 'judge'],
    '--scorer judge needs a model',
  ],
  [['openai-evals', 'items.jsonl'], 'No check of items.jsonl was mapped, so there is no suite.'],
  [['openai-evals', 'items.jsonl', '--criteria', 'items.jsonl'], 'items.jsonl holds no criteria of an eval.'],
])('import %j exits with 2, and states what to change', async (args, message) => {
  const folder = makeRepository({
    'faq.csv': 'q,a\nHow long?,30 days\n',
    'items.jsonl': '{"item":{"a":"b"}}\n',
  });
  const { code, stderr } = await said(folder, ['import', ...args]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
});

test('a table becomes a suite that is valid, and again the same one', async () => {
  const folder = makeRepository({ 'faq.csv': 'q,a\nHow long?,30 days\n' });
  const args = ['import', 'csv', 'faq.csv', '--question', 'q', '--expected', 'a'];
  expect(await said(folder, args)).toMatchObject({
    code: 0,
    stdout: 'faq.csv: 1 row: 1 mapped, 0 mapped with a difference, 0 not mapped\n',
  });
  expect(await said(folder, ['validate'])).toMatchObject({ code: 0, stderr: '' });
  writeFiles(folder, { 'faq.csv': 'q,a\nHow much?,nothing\nHow long?,30 days\n' });
  expect(await said(folder, args)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('1 case added, 0 changed, 0 kept'),
  });
});

const FAQ = Array.from({ length: 40 }, (_, n) => [
  `Question number ${n}?`,
  `Yes, you can return item ${n} to our store in the city centre within ${n + 10} days of the purchase.`,
]);
const FAQ_CSV = `q,a\n${FAQ.map((row) => row.map((text) => `"${text}"`).join(',')).join('\n')}\n`;
const TABLE = ['import', 'csv', 'faq.csv', '--question', 'q', '--expected', 'a'];

/** How many of the answers of a table pass, each with a change. */
async function passing(options: readonly string[], change: (answer: string, n: number) => string) {
  const folder = makeRepository({ 'faq.csv': FAQ_CSV });
  const { code, stderr } = await said(folder, [...TABLE, ...options]);
  const questions = readFileSync(path.join(folder, 'evals/faq/questions.jsonl'), 'utf8').trim().split('\n');
  const outputs = questions.map((line, n) =>
    JSON.stringify({ ...JSON.parse(line), output: change(FAQ[n]?.[1] ?? '', n) }),
  );
  writeFiles(folder, { 'outputs.jsonl': outputs.join('\n') });
  const tried = await said(folder, ['try', 'faq', '--outputs', 'outputs.jsonl', '--json']);
  return { code, stderr, exit: tried.code, passed: JSON.parse(tried.stdout).passed_cases };
}

test('a table without --scorer is compared to the letter, with a sentence about it', async () => {
  const right = await passing([], (answer) => answer);
  expect(right).toMatchObject({ code: 0, exit: 0, passed: 40 });
  expect(right.stderr).toContain('Compared by exact_match: an output passes if it is the expected text');
  const three = await passing([], (answer, n) => (n < 3 ? answer.replace('Yes', 'No') : answer));
  expect(three).toMatchObject({ exit: 1, passed: 37 });
  expect(await passing([], (answer) => answer.replace('Yes', 'No'))).toMatchObject({ exit: 1, passed: 0 });
});

test('--scorer similarity takes other words, and no other number', async () => {
  const options = ['--scorer', 'similarity'];
  const words = await passing(options, (answer) => answer.replace('our store', 'the store'));
  expect(words).toMatchObject({ code: 0, exit: 0, passed: 40 });
  expect(words.stderr).not.toContain('Compared by');
  const digits = await passing(options, (answer, n) => answer.replace(`${n + 10} days`, `${n + 11} days`));
  expect(digits).toMatchObject({ exit: 1, passed: 0 });
});

test('a file of the registry names the eval of the data, or is refused with the list', async () => {
  const folder = makeRepository({
    'b.jsonl': '{"input": "x", "ideal": "yes"}\n',
    'c.jsonl': '{"input": "x", "ideal": "yes"}\n',
    'evals.yaml':
      'a: { class: "x:Includes", args: { samples_jsonl: a.jsonl } }\nb: { class: "x:Match", args: { samples_jsonl: b.jsonl } }\n',
  });
  const evals = (...args: readonly string[]) => said(folder, ['import', 'openai-evals', ...args]);
  expect(await evals('b.jsonl', '--criteria', 'evals.yaml')).toMatchObject({ code: 0 });
  expect(readFileSync(path.join(folder, 'evals/b/b.suite.yaml'), 'utf8')).toContain('pattern: ^(?:yes)');
  expect(await evals('c.jsonl', '--criteria', 'evals.yaml')).toMatchObject({
    code: 2,
    stderr:
      'evalgate: evals.yaml names c.jsonl as the samples of no eval, or of several.\nName one by --eval. Which there are: a (a.jsonl), b (b.jsonl)\n',
  });
  expect(existsSync(path.join(folder, 'evals/c'))).toBe(false);
  expect(await evals('c.jsonl', '--criteria', 'evals.yaml', '--eval', 'a')).toMatchObject({ code: 0 });
  expect(await evals('c.jsonl', '--eval', 'a')).toMatchObject({ code: 2 });
});

test('nothing is written out of the repository, by --out or by a link', async () => {
  const [folder, outside] = [makeRepository(TRANSLATIONS), makeRepository()];
  symlinkSync(outside, path.join(folder, 'evals'));
  for (const args of [[], ['--out', '../elsewhere'], ['--out', outside], ['--out', 'evals/deep/er']]) {
    expect(await imported(folder, 'translate/promptfooconfig.yaml', ...args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('would be outside of'),
    });
  }
  expect(readdirSync(outside).sort()).toEqual(['.git', 'evalgate.yaml']);
});

test('without evalgate.yaml one is written; without a mapped assertion there is a report, no suite, and 2', async () => {
  const place = aPlace();
  writeFileSync(
    path.join(place.folder, 'support.yaml'),
    'tests: [{ assert: [{ type: python, value: x }] }]\n',
  );
  const { code, stderr } = await place.cli(['import', 'promptfoo', 'support.yaml']);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      'wrote evals/support/import-report.md\nwrote evalgate.yaml\nevalgate: No assertion of support.yaml was mapped, so there is no suite.\nChange support.yaml.\n',
  });
  writeFileSync(path.join(place.folder, 'none.yaml'), 'tests: []\n');
  expect(await place.cli(['import', 'promptfoo', 'none.yaml', '--strict'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('with --strict nothing is written'),
  });
  place.remove();
});

test('what cannot be imported is 2, with each error at its place', async () => {
  const folder = makeRepository({ 'p.yaml': 'tests: file://none.yaml\n' });
  expect(await imported(folder, 'p.yaml')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(
      /^p\.yaml:1:8: error: file:\/\/none\.yaml does not exist.*\nevalgate: p\.yaml was not imported/,
    ),
  });
  expect(await imported(folder, '../none.yaml')).toMatchObject({ code: 2 });
  expect(await imported(folder, 'p.yaml', '--judge', 'nobody')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--judge names no provider that is known'),
  });
  expect(await said(folder, ['import'])).toMatchObject({ code: 2 });
});

const SUITE = `version: 1
suite: returns
pass_threshold: 0.9
scorers:
  days: { type: contains, config: { values: [30 days] } }
  total: { type: json_path, config: { assertions: [{ path: $.total, op: exists }] } }
cases:
  - { key: window, input: { question: How long? }, scorer: days, must_pass: true }
  - { key: total, input: {}, scorer: total }
  - { key: file, input: {}, scorer: days, expected: \\file://x, weight: 2 }
`;

test('export promptfoo prints a config, and lists what promptfoo has no equivalent for', async () => {
  const more = `  form: { type: contains, config: { values: [a], mode: none, normalize: true } }
  answer: { type: exact_match, config: { ignore_reasoning: true } }
cases:
  - { key: form, input: {}, scorer: form }
  - { key: answer, input: {}, scorer: answer, expected: a }
`;
  const folder = makeRepository({ 'evals/returns.suite.yaml': SUITE.replace('cases:\n', more) });
  const { code, stdout, stderr } = await said(folder, ['export', 'promptfoo', 'evals/returns.suite.yaml']);
  expect(code).toBe(0);
  expect(stderr.split('\n')).toEqual([
    'differs: evals/returns.suite.yaml: promptfoo has no pass_threshold and no gates: every test has to pass',
    'differs: window: must_pass has no like there',
    'warning: form is left out: sets normalize',
    'warning: answer is left out: sets ignore_reasoning',
    'warning: total is left out: the type json_path',
    'exported 2 cases, left out 3',
    '',
  ]);
  writeFiles(folder, { 'again.yaml': stdout });
  expect(await imported(folder, 'again.yaml', '--strict')).toMatchObject({ code: 0 });
  const json = await said(folder, ['export', 'promptfoo', 'evals/returns.suite.yaml', '--json']);
  const left_out = ['form', 'answer', 'total'].map((key) => ({ key }));
  expect(JSON.parse(json.stdout)).toMatchObject({ config: stdout, cases: 2, left_out });
});

test('export jsonl prints each case as a file of cases has it', async () => {
  const folder = makeRepository({ 'evals/returns.suite.yaml': SUITE });
  expect(await said(folder, ['export', 'jsonl', 'evals/returns.suite.yaml'])).toEqual({
    code: 0,
    stderr: '',
    stdout: [
      '{"key":"window","scorer":"days","input":{"question":"How long?"},"must_pass":true}',
      '{"key":"total","scorer":"total","input":{}}',
      '{"key":"file","scorer":"days","input":{},"expected":"\\\\file://x","weight":2}',
      '',
    ].join('\n'),
  });
  expect(await said(folder, ['export', 'jsonl', 'none.suite.yaml'])).toMatchObject({ code: 2, stdout: '' });
});

test.each(['promptfoo', 'jsonl'])(
  'an export of no case to %s is 2: what reads it checks nothing',
  async (format) => {
    const folder = makeRepository({ 'evals/none.suite.yaml': 'version: 1\nsuite: none\ncases: []\n' });
    expect(await said(folder, ['export', format, 'evals/none.suite.yaml'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No case of evals/none.suite.yaml was exported'),
    });
  },
);
