import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { init } from '../../../clients/cli/commands/init.ts';
import type { CommandIo } from '../../../clients/cli/commands/told.ts';
import { trySuite } from '../../../clients/cli/commands/try.ts';
import { validate } from '../../../clients/cli/commands/validate.ts';
import { blocksOf, readPage } from '../../docs/pages.ts';
import { temporaryFolder } from '../../support/service.ts';
import { makeRepository, SCORER, suiteOf, writeFiles } from '../suites/repository.ts';

async function said(cwd: string, command: (io: CommandIo) => Promise<number>) {
  const streams = { stdout: '', stderr: '' };
  const io: CommandIo = {
    stdout: (text) => {
      streams.stdout += text;
    },
    stderr: (text) => {
      streams.stderr += text;
    },
    ...{ cwd, env: {}, isTty: false },
  };
  return { code: await command(io), ...streams };
}

const JUDGE = 'scorers: { judge: { type: llm_judge, config: { rubric: Good?, _provider: openai } } }';
const HAS = 'scorers: { has: { type: contains, config: { values: [yes] } } }';

describe('init', () => {
  test('writes files that validate passes and try can score, and a second time it changes nothing', async () => {
    const folder = temporaryFolder();
    const first = await said(folder, (io) => init({ suite: 'first', github: true }, io));
    expect(first).toMatchObject({ code: 0, stdout: '' });
    expect(first.stderr).toBe(
      [
        ...['wrote evalgate.yaml', 'wrote evals/first.suite.yaml', 'wrote .github/workflows/gate.yml'],
        'Next: evalgate validate, then evalgate try first --output <file>\n',
      ].join('\n'),
    );
    expect(await said(folder, (io) => validate({ files: [] }, io))).toEqual({
      ...{ code: 0, stdout: 'first  2 cases, 2 scorers  evals/first.suite.yaml\n', stderr: '' },
    });
    writeFiles(folder, { 'good.txt': 'Within 30 days.', 'bad.txt': 'We promise.' });
    const tried = (output: string) => said(folder, (io) => trySuite({ target: 'first', output }, io));
    expect([(await tried('good.txt')).code, (await tried('bad.txt')).code]).toEqual([0, 1]);
    writeFiles(folder, { 'evalgate.yaml': 'version: 1\n' });
    const again = await said(folder, (io) => init({ suite: 'first' }, io));
    expect(again.stderr).toMatch(/^kept evalgate\.yaml\nkept evals\/first\.suite\.yaml\nNext: /);
    expect(readFileSync(path.join(folder, 'evalgate.yaml'), 'utf8')).toBe('version: 1\n');
  });

  test('writes the workflow of docs/ci.md', async () => {
    const folder = temporaryFolder();
    await said(folder, (io) => init({ github: true }, io));
    const workflow = readFileSync(path.join(folder, '.github/workflows/gate.yml'), 'utf8');
    expect(workflow).toBe(blocksOf(readPage('docs/ci.md'), 'yaml')[0]);
  });

  test('writes through no symbolic link, and says what is in its way', async () => {
    const folder = temporaryFolder();
    symlinkSync(path.join(folder, 'elsewhere'), path.join(folder, 'evalgate.yaml'));
    writeFileSync(path.join(folder, 'evals'), '');
    const { code, stderr } = await said(folder, (io) => init({}, io));
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'kept evalgate.yaml\nevals/returns.suite.yaml cannot be written (EEXIST): change that, then run this again.\n',
    });
  });

  test.each(['A b', '../x', '', '-x'])('refuses the name "%s"', async (suite) => {
    expect(await said(temporaryFolder(), (io) => init({ suite }, io))).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('validate', () => {
  test('tells each error with its place on stderr, and exits with 2', async () => {
    const folder = makeRepository({
      'evals/s.suite.yaml': suiteOf(SCORER, 'cases: [{ key: a, input: {}, scorer: eq, wieght: 1 }]'),
    });
    expect(await said(folder, (io) => validate({ files: [] }, io))).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'evals/s.suite.yaml:4:42: error: cases[0].wieght is not a field here: did you mean weight?\n' +
        '1 error: correct the files, then validate them again\n',
    });
  });

  test('shows a hundred of them, and says how many more there are', async () => {
    const cases = Array.from({ length: 1_500 }, (_, n) => `{ key: c${n}, input: {}, scorer: eq, x: 1 }`);
    const folder = makeRepository({ 'evals/s.suite.yaml': suiteOf(SCORER, `cases: [${cases.join(', ')}]`) });
    const { stderr } = await said(folder, (io) => validate({ files: ['evals/s.suite.yaml'] }, io));
    expect(stderr.split('\n').slice(-3)).toEqual([
      ...['and 1400 more', '1500 errors: correct the files, then validate them again', ''],
    ]);
  });

  test('without an evalgate.yaml exits with 2, and without a suite says so', async () => {
    const folder = makeRepository();
    mkdirSync(path.join(folder, 'inner/.git'), { recursive: true });
    expect((await said(path.join(folder, 'inner'), (io) => validate({ files: [] }, io))).code).toBe(2);
    expect(await said(folder, (io) => validate({ files: [] }, io))).toMatchObject({
      code: 0,
      stderr: 'evalgate.yaml names no suite that is there: add one, or correct `suites`\n',
    });
  });
});

describe('try', () => {
  const folder = makeRepository({
    'evals/s.suite.yaml': suiteOf(
      HAS,
      'cases: [{ key: a, input: {}, scorer: has }, { key: b, input: {}, scorer: has, sample_count: 1 }]',
    ),
    'evals/judged.suite.yaml': `version: 1\nsuite: judged\n${JUDGE}\ncases: [{ key: a, input: {}, scorer: judge }]\n`,
    'evals/broken.suite.yaml': '[',
    'good.jsonl': '{"case": ["a", "b"], "output": "yes"}\n',
    'bad.jsonl': '{"case": "a", "output": "no\\u001b[31m"}\n{"case": "\\u202egone", "output": "x"}\n',
    'errored.jsonl': '{"case": "a", "output": "yes"}\n{"case": "b", "error": "429"}\n',
    'wrong.jsonl': '{"case": "a"}\n',
    'twice.jsonl': '{"case": "a", "output": "yes"}\n{"case": "a", "output": "yes"}\n',
    'empty.txt': '',
  });
  const tried = (args: Partial<Parameters<typeof trySuite>[0]>, stdin: readonly Uint8Array[] = []) =>
    said(folder, (io) =>
      trySuite(
        { target: 's', ...args },
        {
          ...io,
          stdin: (async function* () {
            yield* stdin;
          })(),
        },
      ),
    );

  test.each([
    ['cleared', 0, { outputs: 'good.jsonl' }, /^cleared: pass rate 100\.0 %, needed 100\.0 %$/m],
    ['aborted', 1, { outputs: 'bad.jsonl' }, /^aborted by pass_rate: pass rate 0\.0 %/m],
    ['inconclusive', 3, { outputs: 'errored.jsonl' }, /^aborted \(inconclusive\) by pass_rate: /m],
    ['not judged', 3, { target: 'judged', outputs: 'good.jsonl' }, /^no verdict: models judge all cases/m],
    ['of a file', 0, { target: 'evals/s.suite.yaml', outputs: 'good.jsonl' }, /^cleared: /m],
  ])('exits for a suite that is %s with %i', async (_, code, args, line) => {
    const { stdout, ...rest } = await tried(args);
    expect(rest).toEqual({ code, stderr: '' });
    expect(stdout).toMatch(line);
  });

  test.each([
    ['a bad line', { outputs: 'wrong.jsonl' }, /^wrong\.jsonl:1:1: error: is no output: /],
    ['no such file', { output: 'none.txt' }, /^none\.txt:1:1: error: the output does not exist/],
    [
      'outputs that a run would refuse',
      { outputs: 'twice.jsonl' },
      /^The service would refuse this: outputs\.1 is one more/,
    ],
    [
      'an unknown suite',
      { target: 'unknown', outputs: 'good.jsonl' },
      /^There is no suite "unknown" in the files/,
    ],
    [
      'a broken suite',
      { target: 'evals/broken.suite.yaml', outputs: 'good.jsonl' },
      /^evals\/broken\.suite\.yaml:1:/,
    ],
    ['neither output nor outputs', {}, /^Name one of --output/],
    ['both', { output: 'empty.txt', outputs: 'good.jsonl' }, /^Name one of --output/],
  ])('exits for %s with 2', async (_, args, message) => {
    const { code, stdout, stderr } = await tried(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  test('judges an empty output, with a warning', async () => {
    const { code, stderr } = await tried({ output: 'empty.txt' });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'empty.txt:1:1: warning: the output is empty, and is judged as it is\n',
    });
  });

  test('reads one output or a list of them from stdin', async () => {
    const bytes = (text: string) => [Buffer.from(text.slice(0, 3)), Buffer.from(text.slice(3))];
    expect((await tried({ output: '-' }, bytes('oh yes'))).code).toBe(0);
    const outputs = readFileSync(path.join(folder, 'good.jsonl'), 'utf8');
    expect((await tried({ outputs: '-' }, bytes(outputs))).code).toBe(0);
    const { code, stderr } = await tried({ output: '-' }, [Buffer.alloc(2_000_000)]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: '-:1:1: error: the output is too large: at most 1 MB\n',
    });
  });

  test('prints nothing of an output that moves a cursor or reverses text', async () => {
    const { stdout } = await tried({ outputs: 'bad.jsonl' });
    expect(stdout).toContain('1 output for no active case: \\u{202e}gone');
    expect(stdout).not.toMatch(/[\u001b\u202e]/);
  });

  test('prints the verdict as JSON', async () => {
    const { stdout } = await tried({ outputs: 'bad.jsonl', json: true });
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'aborted',
      passed: false,
      total_cases: 2,
      missing_cases: 1,
    });
    const judged = await tried({ target: 'judged', outputs: 'good.jsonl', json: true });
    expect(JSON.parse(judged.stdout)).toMatchObject({ outcome: 'not_judged', not_judged: [{ key: 'a' }] });
  });
});
