import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { temporaryFolder } from '../../support/service.ts';
import { makeRepository, SCORER, suiteOf, writeFiles } from '../files/repository.ts';
import { aGate, aPlace } from './cli.ts';
import { said } from './inProcess.ts';

const HAS_SCORER = 'has: { type: contains, config: { values: [yes] } }';
const JUDGE_SCORER = 'judge: { type: llm_judge, config: { rubric: Good?, _provider: openai } }';

describe('init', () => {
  test('writes files that validate passes and try can score, and a second time it changes nothing', async () => {
    const folder = temporaryFolder();
    const first = await said(folder, ['init', 'first', '--offline']);
    expect(first).toEqual({
      code: 0,
      stdout: '',
      stderr: `wrote evalgate.yaml
wrote evals/first.suite.yaml
Next: evalgate validate, then evalgate try first --output <file>
`,
    });
    expect(await said(folder, ['validate'])).toEqual({
      code: 0,
      stdout: 'first  2 cases, 2 scorers  evals/first.suite.yaml\n',
      stderr: '',
    });
    writeFiles(folder, { 'good.txt': 'Within 30 days.', 'bad.txt': 'We promise.' });
    const tried = (output: string) => said(folder, ['try', 'first', '--output', output]);
    expect([(await tried('good.txt')).code, (await tried('bad.txt')).code]).toEqual([0, 1]);
    writeFiles(folder, { 'evalgate.yaml': 'version: 1\n' });
    const again = await said(folder, ['init', 'first', '--offline']);
    expect(again.stderr).toMatch(/^kept evalgate\.yaml\nNext: /);
    expect(readFileSync(path.join(folder, 'evalgate.yaml'), 'utf8')).toBe('version: 1\n');
  });

  test('writes through no symbolic link, and names what blocks it', async () => {
    const folder = temporaryFolder();
    symlinkSync(path.join(folder, 'elsewhere'), path.join(folder, 'evalgate.yaml'));
    writeFileSync(path.join(folder, 'evals'), '');
    const { code, stderr } = await said(folder, ['init', '--offline']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        "kept evalgate.yaml\nevalgate: evals/returns.suite.yaml can't be written: something else is in its place.\nChange that, then run this again.\n",
    });
  });

  test.each(['../x', ''])('refuses the name "%s"', async (suite) => {
    expect(await said(temporaryFolder(), ['init', '--offline', '--', suite])).toMatchObject({
      code: 2,
      stdout: '',
    });
  });
});

describe('validate', () => {
  test('prints each error with its place on stderr, and exits with 2', async () => {
    const folder = makeRepository({
      'evals/s.suite.yaml': suiteOf(SCORER, 'cases: [{ key: a, input: {}, scorer: eq, wieght: 1 }]'),
    });
    expect(await said(folder, ['validate'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'evals/s.suite.yaml:4:42: error: cases[0].wieght is not a field here: did you mean weight?\n' +
        'evalgate: 1 error in the files.\nCorrect them, then try again.\n',
    });
  });

  test('finds one error at the line of a slip in a list of cases', async () => {
    const folder = makeRepository({
      'evals/s.suite.yaml': suiteOf(SCORER, 'cases: [file://c.json]'),
      'evals/c.json':
        '[\n {"key": "a", "input": {}, "scorer": "eq"},\n {"key": "b" "input": {}, "scorer": "eq"}\n]\n',
    });
    expect((await said(folder, ['validate'])).stderr).toBe(
      'evals/c.json:3:14: error: is not JSON from here on: correct it\n' +
        'evalgate: 1 error in the files.\nCorrect them, then try again.\n',
    );
  });

  test('shows a hundred of them, and how many more there are', async () => {
    const cases = Array.from({ length: 1_500 }, (_, n) => `{ key: c${n}, input: {}, scorer: eq, x: 1 }`);
    const folder = makeRepository({ 'evals/s.suite.yaml': suiteOf(SCORER, `cases: [${cases.join(', ')}]`) });
    const { stderr } = await said(folder, ['validate', 'evals/s.suite.yaml']);
    expect(stderr.split('\n').slice(-4)).toEqual([
      'and 1400 more',
      'evalgate: 1500 errors in the files.',
      'Correct them, then try again.',
      '',
    ]);
  });

  test('warns of each gate and each case that no output passes, with its place, and exits with 0', async () => {
    const gates =
      '{ min_lower_bound: 0.9, tags: [{ tag: a, pass_threshold: 1 }, { tag: b, pass_threshold: 1 }] }';
    const cases =
      '[{ key: a, tags: [a], input: {}, scorer: eq }, { key: b, input: {}, scorer: eq, is_active: false }]';
    const folder = makeRepository({
      'evals/s.suite.yaml': suiteOf(SCORER, `gates: ${gates}`, `cases: ${cases}`),
      'evals/none.suite.yaml': suiteOf('cases: []').replace('suite: s', 'suite: none'),
    });
    expect((await said(folder, ['validate'])).stderr.split('\n')).toEqual([
      'evals/none.suite.yaml:3:8: warning: pass_rate: has no active case, and a gate that checks nothing does not clear: add one',
      'evals/s.suite.yaml:4:27: warning: min_lower_bound: no output passes it: 1 case proves at most 0.206, even if all pass: it takes 35 cases',
      'evals/s.suite.yaml:4:70: warning: tag:b: no output passes it: no case that counts has the tag',
      'evals/s.suite.yaml:5:9: warning: case a: exact_match has no expected to compare with, so that every run is inconclusive',
      '',
    ]);
    const { code, stdout } = await said(folder, ['validate', '--json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { valid: true, problems: [{ severity: 'warning' }, {}, {}, {}] },
    ]);
  });

  test('warns of a scorer that no case has, with its place, and exits with 0', async () => {
    const folder = makeRepository({
      'evalgate.yaml': 'version: 1\nsuites: [evals/*.suite.yaml]\nscorers: [evals/scorers.yaml]\n',
      'evals/scorers.yaml':
        'version: 1\nscorers:\n  shared: { type: exact_match, config: {} }\n  idle: { type: exact_match, config: {} }\n',
      'evals/s.suite.yaml': suiteOf(
        'defaults: { scorer: shared }',
        'scorers:',
        '  own: { type: exact_match, config: {} }',
        'cases: [{ key: a, input: {}, expected: x }]',
      ),
    });
    expect(await said(folder, ['validate'])).toMatchObject({
      code: 0,
      stderr:
        'evals/s.suite.yaml:5:3: warning: the scorer own judges nothing: no case of the suite has it; add one, or leave it out\n' +
        'evals/scorers.yaml:4:3: warning: the scorer idle judges nothing: no case of any suite has it; add one, or leave it out\n',
    });
    expect((await said(folder, ['validate', 'evals/s.suite.yaml'])).stderr).not.toContain('idle');
  });

  test('without an evalgate.yaml or a suite exits with 2, and names what is missing', async () => {
    const folder = makeRepository();
    mkdirSync(path.join(folder, 'inner/.git'), { recursive: true });
    expect((await said(path.join(folder, 'inner'), ['validate'])).code).toBe(2);
    expect(await said(folder, ['validate'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^evalgate\.yaml:1:1: error: "evals\/\*\*\/\*\.suite\.yaml" names no file/,
      ),
    });
    const { code, stdout } = await said(folder, ['validate', '--json']);
    expect({ code, valid: JSON.parse(stdout).valid }).toEqual({ code: 2, valid: false });
  });
});

test('validate gives suites and problems as data, and nothing of a file or its name is an order to a runner', async () => {
  const place = aPlace();
  await place.cli(['init', '--offline', '--quiet']);
  const file = 'evals/returns.suite.yaml';
  const valid = await place.cli(['validate', '--json', file]);
  expect([valid.code, JSON.parse(valid.stdout)]).toEqual([
    0,
    {
      valid: true,
      suites: [{ suite: 'returns', file, cases: 2, scorers: 2 }],
      problems: [],
      problems_left: 0,
    },
  ]);
  writeFiles(place.folder, { [file]: 'version: 1\nsuite: s\npass_treshold: 1\n"\\e[31m": 1\n' });
  const wrong = await place.cli(['validate', '--json']);
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringMatching(/^evalgate: 2 errors in the files\.\n/),
  ]);
  const message = expect.stringContaining('is not a field here');
  expect(JSON.parse(wrong.stdout)).toEqual({
    valid: false,
    suites: [],
    problems_left: 0,
    problems: [3, 4].map((line) => ({ file, line, column: 1, severity: 'error', message })),
  });
  const env = { GITHUB_ACTIONS: 'true' };
  const words = await place.cli(['validate', '--quiet'], { env });
  expect(words.stderr).toMatch(/^evals\/returns\.suite\.yaml:3:1: error: pass_treshold is not a field here/);
  expect(wrong.stdout + words.stderr).not.toMatch(/\u001b|^::/m);
  const order = place.file('::add-mask::\u001b[31mx.suite.yaml', '[');
  const { stderr } = await place.cli(['validate', order], { env });
  expect(stderr).toMatch(/^: :add-mask::␛\[31mx\.suite\.yaml:1:2: error: /);
  place.remove();
});

describe('try', () => {
  const folder = makeRepository({
    'evals/s.suite.yaml': suiteOf(
      `scorers: { ${HAS_SCORER} }`,
      'cases: [{ key: a, input: {}, scorer: has }, { key: b, input: {}, scorer: has, sample_count: 1 }]',
    ),
    'evals/judged.suite.yaml': `version: 1\nsuite: judged\nscorers: { ${JUDGE_SCORER} }\ncases: [{ key: a, input: {}, scorer: judge }]\n`,
    'evals/half.suite.yaml': `version: 1\nsuite: half\nscorers: { ${HAS_SCORER}, ${JUDGE_SCORER} }\ncases: [{ key: a, input: {}, scorer: has }, { key: b, input: {}, scorer: judge }]\n`,
    'evals/compared.suite.yaml': `version: 1\nsuite: compared\ngates: { regression: {} }\nscorers: { ${HAS_SCORER} }\ncases: [{ key: a, input: {}, scorer: has }]\n`,
    'half.jsonl': '{"case": "a", "output": "yes"}\n',
    'whole.jsonl': '{"case": ["a", "b"], "output": "yes"}\n',
    'evals/broken.suite.yaml': '[',
    'good.jsonl': '{"case": ["a", "b"], "output": "yes"}\n',
    'bad.jsonl': '{"case": "a", "output": "no\\u001b[31m"}\n{"case": "\\u202egone", "output": "x"}\n',
    'errored.jsonl': '{"case": "a", "output": "yes"}\n{"case": "b", "error": "429"}\n',
    'twice.jsonl': '{"case": "a", "output": "yes"}\n{"case": "a", "output": "yes"}\n',
    'empty.txt': '',
  });
  const tried = (...args: readonly string[]) => said(folder, ['try', ...args]);

  test.each([
    ['cleared', 0, ['s', '--outputs', 'good.jsonl'], /^cleared: pass rate 100\.0 % ≥ 100\.0 %$/m],
    ['aborted', 1, ['s', '--outputs', 'bad.jsonl'], /^aborted by pass_rate: pass rate 0\.0 % < 100\.0 %$/m],
    ['inconclusive', 3, ['s', '--outputs', 'errored.jsonl'], /^aborted \(inconclusive\) by pass_rate: /m],
    ['not judged', 3, ['judged', '--outputs', 'good.jsonl'], /^no verdict: 1 case was not judged here/m],
    [
      'without its judged output',
      1,
      ['half', '--outputs', 'half.jsonl'],
      /^aborted by pass_rate: pass rate 50/m,
    ],
    ['half judged', 3, ['half', '--outputs', 'whole.jsonl'], /^no verdict: 1 case was not judged here/m],
    [
      'not compared',
      3,
      ['compared', '--outputs', 'half.jsonl'],
      /^ {2}- regression {2}not compared here: evalgate run compares with the baseline$/m,
    ],
    ['of a file', 0, ['evals/s.suite.yaml', '--outputs', 'good.jsonl'], /^cleared: /m],
  ])('exits for a suite that is %s with %i', async (_, code, args, line) => {
    const { stdout, ...rest } = await tried(...args);
    expect(rest).toEqual({ code, stderr: expect.stringMatching(/^(warning: no case of the suite: .*\n)?$/) });
    expect(stdout).toMatch(line);
  });

  test.each([
    [
      'outputs that a run would refuse',
      ['s', '--outputs', 'twice.jsonl'],
      /^evalgate: The service would refuse these outputs\.\ntwice\.jsonl:2:1: error: is one more/,
    ],
    [
      'an unknown suite',
      ['unknown', '--outputs', 'good.jsonl'],
      /^evalgate: There is no suite unknown in the files/,
    ],
    [
      'a broken suite',
      ['evals/broken.suite.yaml', '--outputs', 'good.jsonl'],
      /^evals\/broken\.suite\.yaml:1:/,
    ],
    ['neither output nor outputs', ['s'], /^evalgate: Give either --output or --outputs\./],
    ['both', ['s', '--output', 'empty.txt', '--outputs', 'good.jsonl'], /^evalgate: Give either --output/],
  ])('exits for %s with 2', async (_, args, message) => {
    const { code, stdout, stderr } = await tried(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  test('reads one output or a list of them from stdin', async () => {
    const bytes = (text: string) => [Buffer.from(text.slice(0, 3)), Buffer.from(text.slice(3))];
    expect((await said(folder, ['try', 's', '--output', '-'], bytes('oh yes'))).code).toBe(0);
    const outputs = readFileSync(path.join(folder, 'good.jsonl'), 'utf8');
    expect((await said(folder, ['try', 's', '--outputs', '-'], bytes(outputs))).code).toBe(0);
  });

  test('prints nothing of an output that moves a cursor or reverses text', async () => {
    const { stdout } = await tried('s', '--outputs', 'bad.jsonl');
    expect(stdout).toContain('1 output for no active case: ⟨U+202E⟩gone');
    expect(stdout).not.toMatch(/[\u001b\u202e]/);
  });

  test('prints the verdict as JSON', async () => {
    const { stdout } = await tried('s', '--outputs', 'bad.jsonl', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'aborted',
      passed: false,
      total_cases: 2,
      missing_cases: 1,
    });
    const judged = await tried('judged', '--outputs', 'good.jsonl', '--json');
    expect(JSON.parse(judged.stdout)).toMatchObject({ outcome: 'not_judged', not_judged: [{ key: 'a' }] });
  });
});

test('what init writes of every template is pushed as the suite that the service makes of it', async () => {
  const url = sharedServiceUrl();
  const { gate, apiKey } = await aGate(url);
  await gate.projects.create({ name: 'Pushed', slug: 'pushed' });
  const env = { EVALGATE_URL: url, EVALGATE_API_KEY: apiKey, EVALGATE_PROJECT: 'pushed' };
  const folder = aPlace(env);
  const templates = await gate.templates.list();
  expect(templates).toHaveLength(6);
  for (const { slug } of templates) {
    await folder.cli(['init', '--offline', '--template', slug]);
    await gate.suites.createFromTemplate('pushed', { template_slug: slug, slug: `made-of-${slug}` });
  }
  expect(await folder.cli(['push'])).toMatchObject({ code: 0 });
  for (const { slug } of templates) {
    const [own, made] = await Promise.all(
      [slug, `made-of-${slug}`].map((name) => gate.definitions.get('pushed', name)),
    );
    const inputs = (cases: readonly object[] = []) =>
      cases.map((one) => ({ ...one, scorer: expect.any(String), input: expect.any(Object) }));
    expect(own?.definition.cases).toEqual(inputs(made?.definition.cases));
    const scorers = ({ definition } = made!) => Object.values(definition.scorers);
    expect(scorers(own)).toMatchObject(scorers().map(({ type, config }) => ({ type, config })));
  }
  expect((await folder.cli(['push'])).stderr).toContain('nothing to change');
  folder.remove();
});

test('for an unknown template the error lists the known ones, and nothing is written', async () => {
  const other = aPlace();
  const { code, stderr } = await other.cli(['init', '--offline', '--template', 'constructor']);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/no template constructor\.\nWhich there are: rag-faithfulness, /),
  });
  expect(await other.cli(['validate'])).toMatchObject({ code: 2 });
  other.remove();
});
