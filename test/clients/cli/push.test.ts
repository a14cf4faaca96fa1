import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { writeFiles } from '../files/repository.ts';
import { aPlace, type Place, useGate } from './cli.ts';

const url = sharedServiceUrl();
const gated = useGate();
let place: Place;
let project: string;
let count = 0;
beforeEach(async () => {
  project = `p${count++}`;
  await gated.gate.projects.create({ name: project, slug: project });
  place = aPlace({ EVALGATE_URL: url, EVALGATE_API_KEY: gated.apiKey, EVALGATE_PROJECT: project });
});
afterEach(() => place.remove());

const suite = (slug: string, ...lines: readonly string[]) =>
  [`version: 1`, `suite: ${slug}`, ...lines, ''].join('\n');
const SCORER = 'scorers: { has: { type: contains, config: { values: ["30 days"] } } }';
const RETURNS = suite(
  'returns',
  '# the bar',
  'pass_threshold: 0.9',
  SCORER,
  'cases:',
  '  - { key: window, input: { q: How long? }, scorer: has, weight: 2 }',
  '  - { key: tone, input: {}, scorer: has }',
);

const write = (files: Record<string, string>) =>
  writeFiles(place.folder, { 'evalgate.yaml': 'version: 1\n', ...files });
const read = (name: string) => readFileSync(path.join(place.folder, name), 'utf8');
const get = async (slug = 'returns') => gated.gate.definitions.get(project, slug);
const FILE = 'evals/returns.suite.yaml';

describe('where nothing is selected', () => {
  const MISTYPED = 'version: 1\nsuites: [eval/*.suite.yaml]\n';
  const COMMANDS = [['validate'], ['diff'], ['push', '--yes']];

  test.each(COMMANDS.map((args) => [args.join(' '), args] as const))('%s ends with 2', async (_, args) => {
    write({ [FILE]: RETURNS, 'evalgate.yaml': MISTYPED });
    expect(await place.cli(args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^evalgate\.yaml:2:10: error: "eval\/\*\.suite\.yaml" names no file/),
    });
  });

  test('pull ends with 2, and writes the first file of a project all the same', async () => {
    write({ [FILE]: RETURNS });
    expect(await place.cli(['pull'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no suite'),
    });
    expect(await place.cli(['push'])).toMatchObject({ code: 0 });
    write({ 'evalgate.yaml': MISTYPED });
    expect(await place.cli(['pull', '--dir', 'eval'])).toMatchObject({
      code: 0,
      stdout: 'wrote eval/returns.suite.yaml\n',
    });
  });
});

describe('push', () => {
  test('puts a suite in force; again there is nothing to change; and pulled it gives the same bytes', async () => {
    write({ [FILE]: RETURNS });
    const first = await place.cli(['push']);
    expect(first).toMatchObject({ code: 0, stdout: '' });
    expect(first.stderr).toMatch(
      /^returns {2}\(new\)\n {2}\+ suite .*\n {2}\+ scorer has .*\n {2}\+ case window .*weight 2/,
    );
    expect(first.stderr).toMatch(/\n4 to add\.\npushed returns: definition version \d+\n$/);
    expect((await get()).definition).toMatchObject({
      pass_threshold: 0.9,
      cases: [{ key: 'window', weight: 2 }, {}],
    });
    expect((await get()).last_push?.source).toEqual({ path: FILE });
    expect(await place.cli(['push'])).toEqual({ code: 0, stdout: '', stderr: 'nothing to change\n' });
    const [planned] = JSON.parse((await place.cli(['diff', '--exit-code', '--json'])).stdout);
    expect(planned).toMatchObject({ suite: 'returns', applied: false, weaker: [] });
    expect(await place.cli(['pull'])).toEqual({ code: 0, stdout: '', stderr: 'nothing to change\n' });
    expect(read(FILE)).toBe(RETURNS);
  });

  test('shows gates that no output passes in the plan, also where nothing changes, and with what the service keeps', async () => {
    write({ [FILE]: RETURNS.replace(SCORER, `${SCORER}\ngates: { min_judged_cases: 2 }`) });
    expect((await place.cli(['push'])).stderr).not.toContain('no output');
    const fewer = RETURNS.replace(SCORER, `${SCORER}\ngates: { min_judged_cases: 2 }`);
    write({ [FILE]: fewer.replace(/ {2}- \{ key: tone.*\n/, '') });
    expect((await place.cli(['validate'])).stderr).toContain('1 case counts, and it takes 2');
    expect((await place.cli(['diff'])).stdout).not.toContain('no output');
    write({ [FILE]: fewer.replace('judged_cases: 2', 'judged_cases: 3') });
    const said = '  ! min_judged_cases: no output passes it: 2 cases count, and it takes 3\n';
    expect((await place.cli(['diff'])).stdout).toContain(said);
    for (const _ of ['pushed', 'again']) {
      const { code, stderr } = await place.cli(['push']);
      expect([code, stderr]).toEqual([0, expect.stringContaining(said)]);
    }
  });

  test('without a terminal a weaker bar is refused with 2 and nothing sent, unless it is allowed', async () => {
    write({ [FILE]: RETURNS });
    await place.cli(['push']);
    const { definition_version } = await get();
    write({ [FILE]: RETURNS.replace('0.9', '0.8') });
    const diff = await place.cli(['diff', '--exit-code']);
    expect(diff.code).toBe(1);
    expect(diff.stdout).toMatch(/~ suite returns|~ suite {2}pass_threshold 0\.9 → 0\.8 {2}weaker/);
    expect(diff.stdout).toContain('1 to change. The bar gets or may get weaker in 1 way.');
    for (const args of [[], ['--yes'], ['--no-input']]) {
      const refused = await place.cli(['push', ...args]);
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toMatch(
        /weaker in 1 way, and nothing was pushed\.\nIf that is intended: evalgate push --allow-weaker\n$/,
      );
    }
    expect((await get()).definition_version).toBe(definition_version);
    expect((await place.cli(['push', '--allow-weaker'])).code).toBe(0);
    expect((await get()).definition.pass_threshold).toBe(0.8);
  });

  test('cases that no file has are kept and listed, and deleted with --prune', async () => {
    write({ [FILE]: RETURNS });
    await place.cli(['push']);
    write({ [FILE]: RETURNS.replace(/ {2}- \{ key: tone.*\n/, '') });
    const diff = await place.cli(['diff']);
    expect(diff.stdout).toMatch(/· case tone {2}not in the file\n/);
    expect(diff.stdout).toContain('1 left alone (--prune deletes)');
    expect(await place.cli(['push'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('nothing to change'),
    });
    expect((await place.cli(['push', '--prune', '--allow-weaker'])).code).toBe(0);
    expect((await get()).definition.cases.map(({ key }) => key)).toEqual(['window']);
  });

  test('a case that was edited by hand since the last push is reported as such, until the next push reverts it', async () => {
    write({ [FILE]: RETURNS });
    await place.cli(['push']);
    const { id } = await gated.gate.suites.get(project, 'returns');
    const [window] = (await gated.gate.cases.list(id).page()).data;
    await gated.gate.cases.update(window?.id ?? '', { weight: 3 });
    await gated.gate.cases.create(id, {
      name: 'New',
      key: 'new',
      input: {},
      scorer_id: window?.scorer_id ?? '',
    });
    write({ [FILE]: RETURNS.replace('key: tone', 'key: tone, weight: 4') });
    const { stdout } = await place.cli(['diff']);
    expect(stdout).toContain('  ! case window  changed by hand since the last push: weight 3 → 2');
    expect(stdout).toMatch(/ {2}~ case tone {2}weight 1 → 4/);
    expect(stdout).toContain('  · case new  not in the file, changed by hand since the last push\n');
    expect((await place.cli(['push', '--allow-weaker'])).stderr).toContain('! case window');
    write({ [FILE]: RETURNS });
    const after = await place.cli(['diff']);
    expect(after.stdout).toContain('  · case new  not in the file\n');
    expect(after.stdout).not.toContain('by hand');
  });

  test('one wrong file, or one suite whose plan is refused, sends nothing of any', async () => {
    write({ [FILE]: RETURNS, 'evals/z.suite.yaml': suite('z', 'pass_treshold: 1') });
    const wrong = await place.cli(['push']);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringMatching(/z\.suite\.yaml:3:1: error/) });
    const late = `{ type: llm_judge, config: { rubric: Good?, _provider: openai, model: "no such model" } }`;
    write({
      [FILE]: RETURNS,
      'evals/z.suite.yaml': suite(
        'z',
        `scorers: { j: ${late} }`,
        'cases: [{ key: 0b9c1c1e-0000-4000-8000-000000000000, input: {}, scorer: j }]',
      ),
    });
    const { code, stderr } = await place.cli(['push']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('must not have the form of a UUID'),
    });
    await expect(get()).rejects.toMatchObject({ status: 404 });
  });

  test('suites that share a scorer are pushed together, and each plan lists the other suite whose bar it changes', async () => {
    const both = (text: string) => ({
      'evals/scorers.yaml': `version: 1\nscorers: { has: { type: contains, config: { values: ["${text}"] } } }\n`,
      'evals/a.suite.yaml': suite('a', 'cases: [{ key: k, input: {}, scorer: has }]'),
      'evals/b.suite.yaml': suite('b', 'cases: [{ key: k, input: {}, scorer: has }]'),
    });
    write(both('30 days'));
    expect((await place.cli(['push'])).code).toBe(0);
    write(both('14 days'));
    const { stdout } = await place.cli(['diff', 'evals/a.suite.yaml']);
    expect(stdout).toMatch(/! also moves the bar of b, by has\n/);
    const pushed = await place.cli(['push', '--allow-weaker']);
    expect(pushed).toMatchObject({ code: 0, stderr: expect.stringMatching(/pushed a: .*\npushed b: /) });
    expect((await get('b')).definition.scorers.has?.config).toEqual({ values: ['14 days'] });
  });

  test('a suite whose file is gone is reported, and stays', async () => {
    write({ [FILE]: RETURNS, 'evals/old.suite.yaml': RETURNS.replace('suite: returns', 'suite: old') });
    await place.cli(['push']);
    const { stderr } = await place.cli(['diff', FILE]);
    expect(stderr).toBe('');
    writeFiles(place.folder, { 'evalgate.yaml': 'version: 1\nsuites: [evals/returns.suite.yaml]\n' });
    const { code, stderr: warned } = await place.cli(['push']);
    expect({ code, warned }).toEqual({
      code: 0,
      warned: `No file has these suites of ${project}, which stay: old\nnothing to change\n`,
    });
    expect((await get('old')).definition.cases).toHaveLength(2);
  });

  test('a job and a work tree say where the definition comes from', async () => {
    write({ [FILE]: RETURNS });
    const env = {
      GITHUB_ACTIONS: 'true',
      GITHUB_EVENT_NAME: 'push',
      GITHUB_REPOSITORY: 'octo/bot',
      GITHUB_REF: 'refs/heads/main',
      GITHUB_SHA: 'a'.repeat(40),
    };
    await place.cli(['push'], { env });
    expect((await get()).last_push?.source).toMatchObject({
      repository: 'octo/bot',
      ref: 'refs/heads/main',
      sha: 'a'.repeat(40),
    });
    writeFiles(place.folder, {
      '.git/HEAD': 'ref: refs/heads/feature/x\n',
      '.git/packed-refs': `# pack-refs\n${'b'.repeat(40)} refs/heads/feature/x\n`,
      '.git/config': '[remote "origin"]\n\turl = https://user:secret@git.example.com/octo/own.git\n',
      [FILE]: RETURNS.replace('0.9', '1'),
    });
    await place.cli(['push']);
    expect((await get()).last_push?.source).toEqual({
      repository: 'octo/own',
      ref: 'refs/heads/feature/x',
      sha: 'b'.repeat(40),
      path: FILE,
    });
    const { stdout } = await place.cli(['diff']);
    expect(stdout).toMatch(
      /^returns {2}\(definition version \d+, pushed from octo\/own@bbbbbbb\)\nnothing to change\.\n$/,
    );
  });
});

describe('pull', () => {
  test('writes every suite of the project, and what it wrote can be pushed', async () => {
    const made = await gated.gate.suites.create(project, { name: 'By hand', slug: 'by-hand' });
    const { id } = await gated.gate.scorers.create(project, {
      name: 'S',
      key: 's',
      type: 'exact_match',
      config: {},
    });
    const expected = 'file://no\nreference ';
    await gated.gate.cases.create(made.id, {
      name: 'A',
      key: 'a',
      input: { no: 'on' },
      expected,
      scorer_id: id,
    });
    write({});
    const { code, stdout, stderr } = await place.cli(['pull']);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'wrote evals/by-hand.suite.yaml\n',
      stderr: '',
    });
    expect(read('evals/by-hand.suite.yaml')).toMatch(
      /^# yaml-language-server: \$schema=http.*\/schema\/suite\.v1\.json\n\nversion: 1\nsuite: by-hand\n/,
    );
    expect(await place.cli(['push'])).toEqual({ code: 0, stdout: '', stderr: 'nothing to change\n' });
    await gated.gate.suites.update(project, 'by-hand', { pass_threshold: 0.7 });
    expect((await place.cli(['pull', 'by-hand'])).stdout).toBe('wrote evals/by-hand.suite.yaml\n');
    expect(read('evals/by-hand.suite.yaml')).toMatch(/\npass_threshold: 0\.7\n/);
  });

  test('warns of a suite that no pattern in evalgate.yaml names', async () => {
    await gated.gate.suites.create(project, { name: 'Third', slug: 'third' });
    write({});
    const { code, stderr } = await place.cli(['pull', '--dir', 'bars']);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'warning: no pattern of `suites` in evalgate.yaml names bars/third.suite.yaml: add one\n',
    });
  });

  test('writes nothing at all where one of its files cannot be written or read', async () => {
    const second = RETURNS.replace('suite: returns', 'suite: second');
    const files = { [FILE]: RETURNS, 'evals/second.suite.yaml': second };
    write(files);
    await place.cli(['push']);
    for (const slug of ['returns', 'second'])
      await gated.gate.suites.update(project, slug, { pass_threshold: 0.7 });
    await gated.gate.suites.create(project, { name: 'Third', slug: 'third' });
    const expectRefused = async (args: readonly string[], sentence: string | RegExp) => {
      const { code, stdout, stderr } = await place.cli(args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(sentence);
      for (const [name, text] of Object.entries(files)) expect(read(name)).toBe(text);
      expect(readdirSync(path.join(place.folder, 'evals')).filter((name) => name.includes('.new'))).toEqual(
        [],
      );
    };
    mkdirSync(path.join(place.folder, 'evals/third.suite.yaml'));
    await expectRefused(['pull'], 'is there already');
    symlinkSync(place.home, path.join(place.folder, 'out'));
    await expectRefused(['pull', '--dir', 'out/evals'], 'would be outside of');
    expect(readdirSync(place.home)).not.toContain('evals');
    await expectRefused(['pull', '--dir', '../x'], '--dir ../x is outside of');
    await expectRefused(['pull', 'none'], /There is no suite none in p\d+\./);
    await expectRefused(['pull', '../x'], '../x is no slug of a suite');
    writeFiles(place.folder, { 'evals/fourth.suite.yaml': '[' });
    await expectRefused(['pull'], /^evals\/fourth\.suite\.yaml:1:/);
  });
});
