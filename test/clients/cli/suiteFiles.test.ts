import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { aPlace } from './cli.ts';

/** Neither a service nor a key: these commands need none. */
const place = aPlace();
afterAll(() => place.remove());

const JUDGED = `version: 1
suite: judged
scorers: { polite: { type: llm_judge, config: { _provider: openai, rubric: Polite? } } }
cases: [{ key: tone, input: {}, scorer: polite }]
`;

beforeEach(async () => {
  for (const made of ['evalgate.yaml', 'evals', '.github']) {
    rmSync(path.join(place.folder, made), { recursive: true, force: true });
  }
  await place.cli(['init']);
});

/** A suite in place of the one that `init` wrote. */
const write = (text: string): void =>
  writeFileSync(path.join(place.folder, 'evals/returns.suite.yaml'), text);

test('init writes files and says so, keeps existing ones, and reports what it can not write', async () => {
  expect(await place.cli(['init', 'support', '--github'])).toEqual({
    ...{ code: 0, stdout: '' },
    stderr: expect.stringMatching(
      /^kept evalgate\.yaml\nwrote evals\/support\.suite\.yaml\nwrote \.github\//,
    ),
  });
  expect(existsSync(path.join(place.folder, '.github/workflows/gate.yml'))).toBe(true);
  expect(await place.cli(['init', '--quiet'])).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await place.cli(['init', 'No slug'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^evalgate: No slug is no slug/),
  });
  mkdirSync(path.join(place.home, 'taken'));
  writeFileSync(path.join(place.home, 'taken/evals'), '');
  expect(await place.cli(['init'], { cwd: path.join(place.home, 'taken') })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("can't be written: something else is in its place."),
  });
});

test('validate is 0 with the suites as data, and 2 with each error and its place', async () => {
  const line = 'returns  2 cases, 2 scorers  evals/returns.suite.yaml\n';
  for (const args of [['validate'], ['validate', 'evals/returns.suite.yaml']]) {
    expect(await place.cli(args)).toEqual({ code: 0, stdout: line, stderr: '' });
  }
  const { stdout } = await place.cli(['validate', '--json']);
  expect(JSON.parse(stdout)).toEqual({
    valid: true,
    suites: [{ suite: 'returns', file: 'evals/returns.suite.yaml', cases: 2, scorers: 2 }],
    problems: [],
    problems_left: 0,
  });
  write(`${JUDGED}pass_treshold: 1\n"\\e[31m": 1\n`);
  const json = await place.cli(['validate', '--json']);
  expect(json).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^evalgate: 2 errors in the files\.\n/),
  });
  expect(JSON.parse(json.stdout)).toEqual({
    valid: false,
    suites: [],
    problems: [5, 6].map((line) => ({
      ...{ file: 'evals/returns.suite.yaml', line, column: 1, severity: 'error' },
      message: expect.stringContaining('is not a field here'),
    })),
    problems_left: 0,
  });
  expect(json.stdout).not.toMatch(/\u001b/);
  const wrong = await place.cli(['validate', '--quiet'], { env: { GITHUB_ACTIONS: 'true' } });
  expect(wrong).toMatchObject({ code: 2, stdout: '' });
  expect(wrong.stderr).toMatch(/^evals\/returns\.suite\.yaml:5:1: error: pass_treshold is not a field here/);
  expect(wrong.stderr).toMatch(/^evalgate: 2 errors in the files\.$/m);
  expect(wrong.stderr).not.toMatch(/\u001b|^::/m);
  const order = place.file('::add-mask::\u001b[31mx.suite.yaml', '[');
  const { stderr } = await place.cli(['validate', order], { env: { GITHUB_ACTIONS: 'true' } });
  expect(stderr).toMatch(/^: :add-mask::␛\[31mx\.suite\.yaml:1:2: error: /);
  expect(await place.cli(['validate', 'evals/none.suite.yaml'])).toMatchObject({ code: 2, stdout: '' });
  expect(await place.cli(['validate'], { cwd: place.home })).toMatchObject({ code: 2, stdout: '' });
});

test('try is 0 for cleared, 1 for aborted, 2 for what has to be changed, 3 without a verdict', async () => {
  const tried = (stdin: string, ...args: readonly string[]) =>
    place.cli(['try', 'returns', ...args], { stdin });
  expect(await tried('within 30 days', '--output', '-')).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^cleared: pass rate 100\.0 % ≥ 100\.0 %$/m),
    stderr: '',
  });
  place.file('bad.jsonl', '{"case": "return-window", "output": "never"}\n');
  expect(await tried('', '--outputs', 'bad.jsonl')).toEqual({
    code: 1,
    stdout: expect.stringMatching(/^ {2}✗ return-window {2}0\.00 < 0\.50 /m),
    stderr: '',
  });
  const { code, stdout } = await tried('', '--outputs', 'bad.jsonl', '--json');
  expect({ code, verdict: JSON.parse(stdout) }).toMatchObject({ code: 1, verdict: { status: 'aborted' } });
  expect(await tried('')).toMatchObject({ code: 2, stderr: expect.stringContaining('Give either --output') });
  expect(await tried('{', '--outputs', '-')).toMatchObject({
    ...{ code: 2, stdout: '' },
    stderr: expect.stringMatching(/^stdin:1:1: error: is not JSON/),
  });
  expect(await place.cli(['try', 'none', '--output', 'bad.jsonl'])).toMatchObject({ code: 2, stdout: '' });
  write(JUDGED);
  expect(await place.cli(['try', 'judged', '--output', 'bad.jsonl'])).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(
      /^no verdict: 1 case was not judged here, and evalgate run has models judge it$/m,
    ),
  });
});
