import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { configText } from '../../../clients/cli/commands/init/initTexts.ts';
import { Evalgate } from '../../../clients/sdk/index.ts';
import { sharedServiceUrl } from '../../support/api.ts';
import { eventually } from '../../support/service.ts';
import { aPlace, type Place } from './cli.ts';
import { said } from './inProcess.ts';
import { onTerminal, startOnTerminal } from './onTerminal.ts';

const url = sharedServiceUrl();
let gated: { readonly gate: Evalgate; readonly apiKey: string };
let place: Place;
beforeEach(async () => {
  const { api_key } = await new Evalgate({ url }).auth.signup({ name: 'New' });
  gated = { gate: new Evalgate({ url, apiKey: api_key.key }), apiKey: api_key.key };
  place = aPlace({ EVALGATE_API_KEY: gated.apiKey });
});
afterEach(() => place.remove());

const written = (name: string) => readFileSync(path.join(place.folder, name), 'utf8');
const projectsOf = async () => (await gated.gate.projects.list().page()).data.map(({ slug }) => slug);

test('init writes service, organisation and project into evalgate.yaml, and what it wrote is pushed and gated', async () => {
  const given = ['--url', url, '--project', 'support-bot'];
  const refused = await place.cli(['init', ...given]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--create-project') });
  expect(await place.cli(['init', ...given, '--create-project'])).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^made the project support-bot\nwrote evalgate\.yaml\n/),
  });
  const { organisation } = await gated.gate.auth.whoami();
  expect(parse(written('evalgate.yaml'))).toMatchObject({
    url,
    organisation: organisation.id,
    project: 'support-bot',
  });
  place.env.EVALGATE_URL = url;
  expect(await place.cli(['push'])).toMatchObject({ code: 0 });
  place.file('good.txt', 'Within 30 days.');
  expect(await place.cli(['run', 'returns', '--output', 'good.txt'])).toMatchObject({ code: 0 });
});

test('init takes the only project, and names those that there are where there are several', async () => {
  await gated.gate.projects.create({ name: 'One', slug: 'one' });
  expect(await place.cli(['init', '--url', url, '--no-suite'])).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(
      /^the project is one, which is the only one: --project names another\n[\s\S]*Next: evalgate import jsonl/,
    ),
  });
  expect(parse(written('evalgate.yaml')).project).toBe('one');
  rmSync(path.join(place.folder, 'evalgate.yaml'));
  await gated.gate.projects.create({ name: 'Two', slug: 'two' });
  expect(await place.cli(['init', '--url', url])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/No project is named\.\nName one by --project: (one, two|two, one)\n/),
  });
});

test.each([
  [
    'no service is named',
    ['init'],
    '--url https://…, or write files without a service: evalgate init --offline',
  ],
  ['there is no key', ['init', '--url', url], 'There is no API key for'],
  ['a project has no slug', ['init', '--url', url, '--project', 'A b'], 'A b is no slug of a project'],
  ['only --push is given', ['init', '--push'], 'Give --github, too.'],
  ['a template is unknown', ['init', '--template', 'x'], 'There is no template x.'],
])('init without a terminal ends with 2, a sentence and no file where %s', async (what, args, sentence) => {
  if (what === 'there is no key') delete place.env.EVALGATE_API_KEY;
  const { code, stderr } = await place.cli(args);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(sentence) });
  expect(() => written('evalgate.yaml')).toThrow('ENOENT');
});

test('init --github writes workflows of the Action, and prints the narrowest trust that lets them in', async () => {
  await gated.gate.projects.create({ name: 'Bot', slug: 'bot' });
  execFileSync('git', ['init', '-q', place.folder]);
  const remote = ['remote', 'add', 'origin', 'https://github.com/octo-org/support-bot.git'];
  execFileSync('git', ['-C', place.folder, ...remote]);
  const { stderr } = await place.cli(['init', '--url', url, '--github', '--push']);
  const [gate, push] = stderr.match(/^ {2}evalgate trust .*$/gm) ?? [];
  expect(gate).toBe('  evalgate trust octo-org/support-bot --project bot --workflow gate.yml');
  for (const line of [gate, push]) {
    const args = (line ?? '').trim().split(' ').slice(1);
    const trusted = await place.cli([...args, '--url', url]);
    expect(trusted).toMatchObject({ code: 0, stderr: 'Its jobs need id-token: write.\n' });
  }
  const { jobs } = parse(written('.github/workflows/gate.yml'));
  expect(jobs.plan.steps.at(-1).with).toEqual({ command: 'plan' });
  expect(jobs.gate.steps.at(-1).with).toEqual({ suite: 'returns', 'outputs-file': 'answers.jsonl' });
  expect(jobs.gate['runs-on']).toBe('self-hosted');
  expect(parse(written('.github/workflows/push.yml')).jobs.push.steps.at(-1).with).toEqual({
    command: 'push',
  });
});

test('init writes no suite beside those of the files, and its workflow gates the one that there is', async () => {
  const suite = (slug: string) =>
    place.file(
      `${slug}.suite.yaml`,
      `version: 1\nsuite: ${slug}\nscorers: { a: { type: contains, config: { values: [a] } } }\ncases: [{ key: a, scorer: a }]\n`,
    );
  place.file('evalgate.yaml', 'version: 1\nsuites: ["**/*.suite.yaml"]\n');
  suite('faq');
  const init = (...args: string[]) => said(place.folder, ['init', '--offline', ...args]);
  expect((await init('--github')).stderr).toMatch(
    /^kept evalgate\.yaml\nwrote \.github\/workflows\/gate\.yml\n/,
  );
  expect(parse(written('.github/workflows/gate.yml')).jobs.gate.steps.at(-1).with.suite).toBe('faq');
  suite('tone');
  expect(await init('--github')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There are faq, tone.'),
  });
  expect((await init('tone', '--github')).stderr).not.toContain('wrote');
  expect((await init('other')).stderr).toContain('wrote evals/other.suite.yaml\n');
});

test('init fills in the evalgate.yaml of an import without a service, unless it was changed', async () => {
  await gated.gate.projects.create({ name: 'Bot', slug: 'bot' });
  await said(place.folder, ['init', '--offline']);
  expect((await place.cli(['init', '--url', url])).stderr).toMatch(
    /\nwrote evalgate\.yaml\nNext: evalgate push/,
  );
  expect(parse(written('evalgate.yaml'))).toMatchObject({ url, project: 'bot' });
});

test('what init writes names a suite whose slug YAML would read as a number or a word', async () => {
  for (const slug of ['404', '1e3', 'null', 'on']) {
    rmSync(path.join(place.folder, '.github'), { recursive: true, force: true });
    expect(await place.cli(['init', slug, '--offline', '--github'])).toMatchObject({ code: 0 });
    expect(parse(written(`evals/${slug}.suite.yaml`)).suite).toBe(slug);
    expect(parse(written('.github/workflows/gate.yml')).jobs.gate.steps.at(-1).with.suite).toBe(slug);
  }
  expect(
    parse(configText({ url: 'http://[::1]:3000', organisation: 'x\nsuites: []', project: '0' })),
  ).toEqual({
    version: 1,
    url: 'http://[::1]:3000',
    organisation: 'x\nsuites: []',
    project: '0',
    suites: ['evals/**/*.suite.yaml'],
  });
});

test('below the root of a repository init prints where GitHub reads workflows', async () => {
  execFileSync('git', ['init', '-q', place.folder]);
  const below = path.join(place.folder, 'bots/support');
  mkdirSync(below, { recursive: true });
  const { stderr } = await place.cli(['init', '--offline', '--github'], { cwd: below });
  expect(stderr).toContain('move .github there, and add config: bots/support/evalgate.yaml');
});

test('an evalgate.yaml that is there stays, and what it lacks is printed', async () => {
  await gated.gate.projects.create({ name: 'Bot', slug: 'bot' });
  place.file('evalgate.yaml', 'version: 1\nproject: bot\n');
  const { code, stderr } = await place.cli(['init', '--url', url]);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(
      /kept evalgate\.yaml\nwarning: evalgate\.yaml lacks url: http.*, organisation: /,
    ),
  });
});

test('push makes the project that is named only with --create-project', async () => {
  await said(place.folder, ['init', '--offline']);
  Object.assign(place.env, { EVALGATE_URL: url, EVALGATE_PROJECT: 'new' });
  const { code, stderr } = await place.cli(['push', '--yes']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('There is no project new.') });
  expect(await projectsOf()).toEqual([]);
  expect(await place.cli(['push', '--create-project'])).toMatchObject({ code: 0 });
  expect(await projectsOf()).toEqual(['new']);
});

test('projects are made and listed', async () => {
  place.env.EVALGATE_URL = url;
  expect(await place.cli(['projects'])).toMatchObject({ code: 0, stdout: '' });
  expect(await place.cli(['projects', 'create', 'Support bot'])).toMatchObject({
    code: 0,
    stdout: 'support-bot  Support bot\n',
  });
  expect(await place.cli(['projects', 'create', 'Bot', '--slug', 'support-bot'])).toMatchObject({ code: 2 });
  expect(await place.cli(['projects'])).toMatchObject({ code: 0, stdout: 'support-bot  Support bot\n' });
});

onTerminal(
  'on a terminal init asks for service, key and project, and push for a project that is not there',
  async () => {
    place.env.EVALGATE_API_KEY = '';
    const init = startOnTerminal(place, 'init');
    for (const [question, answer] of [
      ['URL of the service', url],
      ['API key', gated.apiKey],
      ['Name of the new project', 'Typed: a name'],
      ['Its slug', 'Not a slug'],
      ['It has lower-case letters', '\u007f'.repeat(10) + 'typed'],
    ] as const) {
      await eventually(() => init.said().includes(question));
      init.type(`${answer}\r`);
    }
    expect(await init.ended).toMatchObject({ code: 0, said: expect.stringContaining('wrote evalgate.yaml') });
    expect(parse(written('evalgate.yaml'))).toMatchObject({ url, project: 'typed' });
    const push = startOnTerminal(place, 'push --project other');
    await eventually(() => push.said().includes('There is no project other. Make it?'));
    push.type('n');
    expect(await push.ended).toMatchObject({ code: 2 });
    expect(await projectsOf()).toEqual(['typed']);
  },
);
