import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { eventually } from '../../support/service.ts';
import { writeFiles } from '../files/repository.ts';
import { useGate, usePlace } from './cli.ts';
import { onTerminal, startOnTerminal } from './onTerminal.ts';

const url = sharedServiceUrl();
const gated = useGate();
const place = usePlace(() => ({ EVALGATE_URL: url }));

const withKey = () => ({ EVALGATE_API_KEY: gated.apiKey, EVALGATE_PROJECT: 'bot' });
const start = (command: string, env?: Record<string, string>) => startOnTerminal(place, command, env);

onTerminal('a login with a key asks for it, and does not show what is typed', async () => {
  const login = start('login --with-key');
  await eventually(() => login.said().includes('API key'));
  login.type(`${gated.apiKey}\r`);
  const { code, said } = await login.ended;
  expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('Logged in to') });
  expect(said).not.toContain(gated.apiKey.slice(4));
  expect(readFileSync(path.join(place.home, '.config/evalgate/credentials.json'), 'utf8')).toContain(
    gated.apiKey,
  );
});

onTerminal.each([
  ['by Ctrl-C', '\u0003', 130, ''],
  ['by the end of the input', '\u0004', 2, 'No answer was given.'],
])('a question that is ended %s has an exit code of its own', async (_, typed, code, sentence) => {
  const login = start('login --with-key');
  await eventually(() => login.said().includes('API key'));
  login.type(typed);
  expect(await login.ended).toEqual({ code, said: expect.stringContaining(sentence) });
});

onTerminal(
  'with --no-input there is no prompt, and what would be typed is refused with what to do',
  async () => {
    expect(await start('login --no-input').ended).toMatchObject({
      code: 2,
      said: expect.stringContaining('evalgate login --with-key < file'),
    });
    const { code, said } = await start('run returns --output -', withKey()).ended;
    expect({ code, said }).toEqual({
      code: 2,
      said: expect.stringContaining('Pipe a file into the command'),
    });
  },
);

onTerminal.each([
  ['the first choice', '\r', 'exact_match'],
  ['the second', '\u001b[B\r', 'similarity'],
])('an import of a table asks what passes: %s', async (_, typed, type) => {
  writeFiles(place.folder, { [`${type}.csv`]: 'q,a\nHow long?,30 days\n' });
  const asking = start(`import csv ${type}.csv --question q --expected a --out ${type}`);
  await eventually(() => asking.said().includes('it has the same numbers and about the same words'));
  asking.type(typed);
  expect(await asking.ended).toMatchObject({ code: 0 });
  const [file = ''] = globSync(`${type}/*.suite.yaml`, { cwd: place.folder });
  expect(readFileSync(path.join(place.folder, file), 'utf8')).toContain(`type: ${type}`);
});

onTerminal('a terminal gets colours, unless it wants none', async () => {
  const coloured = await start('run returns --output bad.txt', withKey()).ended;
  expect(coloured.code).toBe(1);
  expect(coloured.said).toContain('\u001b[31m✗');
  const plain = await start('run returns --output bad.txt', { ...withKey(), NO_COLOR: '1' }).ended;
  expect(plain.said).not.toMatch(/\u001b\[\d+m/);
});

describe('push of a weaker bar on a terminal', () => {
  let version: number;
  const writeBar = (threshold: number) =>
    writeFiles(place.folder, {
      'evalgate.yaml': 'version: 1\n',
      'evals/bar.suite.yaml': [
        'version: 1',
        'suite: bar',
        `pass_threshold: ${threshold}`,
        'scorers: { has: { type: contains, config: { values: ["30 days"] } } }',
        'cases: [{ key: window, input: {}, scorer: has }]\n',
      ].join('\n'),
    });
  const barNow = async () => {
    const found = await gated.gate.definitions.get('bot', 'bar');
    return { version: found.definition_version, threshold: found.definition.pass_threshold };
  };
  const BEFORE = () => ({ version, threshold: 0.9 });
  const PUSHED = () => ({ version: version + 1, threshold: 0.5 });

  beforeEach(async () => {
    writeBar(0.9);
    expect(await place.cli(['push'], { env: withKey() })).toMatchObject({ code: 0 });
    ({ version } = await barNow());
    writeBar(0.5);
  });

  /** A push that has shown its plan and asks. */
  async function asked() {
    const push = start('push', withKey());
    await eventually(() => push.said().includes('with a bar that gets or may get weaker?'));
    expect(push.said()).toMatch(/pass_threshold 0\.9 → 0\.5 [\s\S]*weaker[\s\S]*Push it, with a bar/);
    expect(await barNow()).toEqual(BEFORE());
    return push;
  }

  onTerminal('asks, and y puts it in force', async () => {
    const push = await asked();
    push.type('y');
    const { code, said } = await push.ended;
    expect({ code, said }).toEqual({
      code: 0,
      said: expect.stringContaining('pushed bar: definition version '),
    });
    expect(await barNow()).toEqual(PUSHED());
  });

  onTerminal.each([
    ['n', 'n', 2],
    ['return alone', '\r', 2],
    ['Ctrl-C', '\u0003', 130],
    ['the end of all input', undefined, 2],
  ])('asks, and %s sends nothing', async (_, typed, code) => {
    const push = await asked();
    if (typed === undefined) push.leave();
    else push.type(typed);
    expect(await push.ended).toMatchObject({ code });
    expect(await barNow()).toEqual(BEFORE());
  });

  onTerminal.each([
    ['with --no-input', 'push --no-input'],
    ['where its input is no terminal', 'push < /dev/null'],
    ['where the question would not be seen', 'push 2> said.txt'],
  ])('is refused %s, and nothing is sent', async (_, command) => {
    expect(await start(command, withKey()).ended).toMatchObject({ code: 2 });
    expect(await barNow()).toEqual(BEFORE());
  });

  onTerminal('is not asked about again where --allow-weaker and --yes say so', async () => {
    const { code, said } = await start('push --allow-weaker --yes', withKey()).ended;
    expect(code).toBe(0);
    expect(said).not.toContain('Push it');
    expect(await barNow()).toEqual(PUSHED());
  });
});
