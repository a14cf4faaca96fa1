import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { blocksOf, readPage } from '../../docs/pages.ts';
import { temporaryFolder } from '../../support/service.ts';
import { makeRepository, SCORER, suiteOf, writeFiles } from '../suites/repository.ts';
import { said } from './inProcess.ts';

const JUDGE = 'scorers: { judge: { type: llm_judge, config: { rubric: Good?, _provider: openai } } }';
const BOTH =
  'scorers: { has: { type: contains, config: { values: [yes] } }, judge: { type: llm_judge, config: { rubric: Good?, _provider: openai } } }';
const HAS = 'scorers: { has: { type: contains, config: { values: [yes] } } }';

describe('init', () => {
  test('writes files that validate passes and try can score, and a second time it changes nothing', async () => {
    const folder = temporaryFolder();
    const first = await said(folder, ['init', 'first', '--github']);
    expect(first).toMatchObject({ code: 0, stdout: '' });
    expect(first.stderr).toBe(
      [
        ...['wrote evalgate.yaml', 'wrote evals/first.suite.yaml', 'wrote .github/workflows/gate.yml'],
        'In gate.yml put your service, organisation (evalgate whoami) and program; once: evalgate trust <owner/repo> --workflow gate.yml',
        'Next: evalgate validate, then evalgate try first --output <file>\n',
      ].join('\n'),
    );
    expect(await said(folder, ['validate'])).toEqual({
      ...{ code: 0, stdout: 'first  2 cases, 2 scorers  evals/first.suite.yaml\n', stderr: '' },
    });
    writeFiles(folder, { 'good.txt': 'Within 30 days.', 'bad.txt': 'We promise.' });
    const tried = (output: string) => said(folder, ['try', 'first', '--output', output]);
    expect([(await tried('good.txt')).code, (await tried('bad.txt')).code]).toEqual([0, 1]);
    writeFiles(folder, { 'evalgate.yaml': 'version: 1\n' });
    const again = await said(folder, ['init', 'first']);
    expect(again.stderr).toMatch(/^kept evalgate\.yaml\nkept evals\/first\.suite\.yaml\nNext: /);
    expect(readFileSync(path.join(folder, 'evalgate.yaml'), 'utf8')).toBe('version: 1\n');
  });

  test('writes the workflow of docs/ci.md', async () => {
    const folder = temporaryFolder();
    await said(folder, ['init', '--github']);
    const workflow = readFileSync(path.join(folder, '.github/workflows/gate.yml'), 'utf8');
    expect(workflow).toBe(blocksOf(readPage('docs/ci.md'), 'yaml')[0]);
  });

  test('writes through no symbolic link, and says what is in its way', async () => {
    const folder = temporaryFolder();
    symlinkSync(path.join(folder, 'elsewhere'), path.join(folder, 'evalgate.yaml'));
    writeFileSync(path.join(folder, 'evals'), '');
    const { code, stderr } = await said(folder, ['init']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        "kept evalgate.yaml\nevalgate: evals/returns.suite.yaml can't be written: something else is in its place.\nChange that, then run this again.\n",
    });
  });

  test.each(['A b', '../x', '', '-x'])('refuses the name "%s"', async (suite) => {
    expect(await said(temporaryFolder(), ['init', '--', suite])).toMatchObject({ code: 2, stdout: '' });
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

  test('shows a hundred of them, and says how many more there are', async () => {
    const cases = Array.from({ length: 1_500 }, (_, n) => `{ key: c${n}, input: {}, scorer: eq, x: 1 }`);
    const folder = makeRepository({ 'evals/s.suite.yaml': suiteOf(SCORER, `cases: [${cases.join(', ')}]`) });
    const { stderr } = await said(folder, ['validate', 'evals/s.suite.yaml']);
    expect(stderr.split('\n').slice(-4)).toEqual([
      ...['and 1400 more', 'evalgate: 1500 errors in the files.'],
      ...['Correct them, then try again.', ''],
    ]);
  });

  test('without an evalgate.yaml or a suite exits with 2, and says what is missing', async () => {
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

describe('try', () => {
  const folder = makeRepository({
    'evals/s.suite.yaml': suiteOf(
      HAS,
      'cases: [{ key: a, input: {}, scorer: has }, { key: b, input: {}, scorer: has, sample_count: 1 }]',
    ),
    'evals/judged.suite.yaml': `version: 1\nsuite: judged\n${JUDGE}\ncases: [{ key: a, input: {}, scorer: judge }]\n`,
    'evals/half.suite.yaml': `version: 1\nsuite: half\n${BOTH}\ncases: [{ key: a, input: {}, scorer: has }, { key: b, input: {}, scorer: judge }]\n`,
    'half.jsonl': '{"case": "a", "output": "yes"}\n',
    'whole.jsonl': '{"case": ["a", "b"], "output": "yes"}\n',
    'evals/broken.suite.yaml': '[',
    'good.jsonl': '{"case": ["a", "b"], "output": "yes"}\n',
    'bad.jsonl': '{"case": "a", "output": "no\\u001b[31m"}\n{"case": "\\u202egone", "output": "x"}\n',
    'errored.jsonl': '{"case": "a", "output": "yes"}\n{"case": "b", "error": "429"}\n',
    'wrong.jsonl': '{"case": "a"}\n',
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
    ['of a file', 0, ['evals/s.suite.yaml', '--outputs', 'good.jsonl'], /^cleared: /m],
  ])('exits for a suite that is %s with %i', async (_, code, args, line) => {
    const { stdout, ...rest } = await tried(...args);
    expect(rest).toEqual({ code, stderr: '' });
    expect(stdout).toMatch(line);
  });

  test.each([
    ['a bad line', ['s', '--outputs', 'wrong.jsonl'], /^wrong\.jsonl:1:1: error: is no output: /],
    ['no such file', ['s', '--output', 'none.txt'], /^none\.txt:1:1: error: the output does not exist/],
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

  test('judges an empty output, with a warning', async () => {
    const { code, stderr } = await tried('s', '--output', 'empty.txt');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'empty.txt:1:1: warning: the output is empty, and is judged as it is\n',
    });
  });

  test('reads one output or a list of them from stdin', async () => {
    const bytes = (text: string) => [Buffer.from(text.slice(0, 3)), Buffer.from(text.slice(3))];
    expect((await said(folder, ['try', 's', '--output', '-'], bytes('oh yes'))).code).toBe(0);
    const outputs = readFileSync(path.join(folder, 'good.jsonl'), 'utf8');
    expect((await said(folder, ['try', 's', '--outputs', '-'], bytes(outputs))).code).toBe(0);
    const { code, stderr } = await said(folder, ['try', 's', '--output', '-'], [Buffer.alloc(2_000_000)]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'stdin:1:1: error: the output is too large: at most 1 MB\nevalgate: 1 error in the files.\nCorrect them, then try again.\n',
    });
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
