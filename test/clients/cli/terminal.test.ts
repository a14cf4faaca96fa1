import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { eventually, NODE } from '../../support/service.ts';
import { aGate, aPlace, type Gated, MAIN, type Place } from './cli.ts';

const url = sharedServiceUrl();
/** Of util-linux: it gives a command a terminal. */
const onTerminal = process.platform === 'linux' ? test : test.skip;
let gated: Gated;
let place: Place;

beforeAll(async () => {
  gated = await aGate(url);
  place = aPlace({ EVALGATE_URL: url });
  place.file('good.txt', 'within 30 days');
  place.file('bad.txt', 'never');
});
afterAll(() => place.remove());

function startOnTerminal(command: string, env: Record<string, string> = {}) {
  // A terminal of no width breaks every word.
  const line = `stty cols 120 rows 40; ${NODE} --disable-warning=ExperimentalWarning ${MAIN} ${command}`;
  const child = spawn('script', ['-qefc', line, '/dev/null'], {
    cwd: place.folder,
    env: { PATH: process.env.PATH, HOME: place.home, TERM: 'xterm', SHELL: '/bin/sh', ...place.env, ...env },
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(child, 'close').then(([code]) => ({ code, said }));
  return { type: (text: string) => child.stdin.write(text), ended, said: () => said };
}

onTerminal('a login asks for the key, and does not show what is typed', async () => {
  const login = startOnTerminal('login');
  await eventually(() => login.said().includes('API key'));
  login.type(`${gated.apiKey}\r`);
  const { code, said } = await login.ended;
  expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('Logged in to') });
  expect(said).not.toContain(gated.apiKey.slice(4));
  expect(readFileSync(path.join(place.home, '.config/evalgate/credentials.json'), 'utf8')).toContain(
    gated.apiKey,
  );
});

onTerminal('a question that is ended by Ctrl-C is 130', async () => {
  const login = startOnTerminal('login');
  await eventually(() => login.said().includes('API key'));
  login.type('\u0003');
  expect(await login.ended).toMatchObject({ code: 130 });
});

onTerminal('with --no-input nothing is asked', async () => {
  expect(await startOnTerminal('login --no-input').ended).toMatchObject({
    code: 2,
    said: expect.stringContaining('evalgate login --with-key < file'),
  });
});

onTerminal('an output that would be typed is refused with what to do', async () => {
  const { code, said } = await startOnTerminal('run returns --output -', { EVALGATE_API_KEY: gated.apiKey })
    .ended;
  expect({ code, said }).toEqual({ code: 2, said: expect.stringContaining('Pipe a file into the command') });
});

onTerminal('a terminal gets colours, unless it wants none', async () => {
  const env = { EVALGATE_API_KEY: gated.apiKey };
  const coloured = await startOnTerminal('run returns --output bad.txt', env).ended;
  expect(coloured.code).toBe(1);
  expect(coloured.said).toContain('\u001b[31m✗');
  const plain = [
    startOnTerminal('run returns --output bad.txt --no-color', env),
    startOnTerminal('run returns --output bad.txt', { ...env, NO_COLOR: '1' }),
  ];
  for (const { ended } of plain) expect((await ended).said).not.toMatch(/\u001b\[\d+m/);
});
