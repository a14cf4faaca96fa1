import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { eventually } from '../../support/service.ts';
import { aGate, aPlace, type Gated, type Place } from './cli.ts';
import { onTerminal, startOnTerminal } from './onTerminal.ts';

const url = sharedServiceUrl();
let gated: Gated;
let place: Place;

beforeAll(async () => {
  gated = await aGate(url);
  place = aPlace({ EVALGATE_URL: url });
  place.file('good.txt', 'within 30 days');
  place.file('bad.txt', 'never');
});
afterAll(() => place.remove());

const start = (command: string, env?: Record<string, string>) => startOnTerminal(place, command, env);

onTerminal('a login asks for the key, and does not show what is typed', async () => {
  const login = start('login');
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
  const login = start('login');
  await eventually(() => login.said().includes('API key'));
  login.type('\u0003');
  expect(await login.ended).toMatchObject({ code: 130 });
});

onTerminal('a question where the input ends is 2, and says so', async () => {
  const login = start('login');
  await eventually(() => login.said().includes('API key'));
  login.type('\u0004');
  expect(await login.ended).toEqual({ code: 2, said: expect.stringContaining('No answer was given.') });
});

onTerminal('with --no-input nothing is asked', async () => {
  expect(await start('login --no-input').ended).toMatchObject({
    code: 2,
    said: expect.stringContaining('evalgate login --with-key < file'),
  });
});

onTerminal('an output that would be typed is refused with what to do', async () => {
  const { code, said } = await start('run returns --output -', { EVALGATE_API_KEY: gated.apiKey }).ended;
  expect({ code, said }).toEqual({ code: 2, said: expect.stringContaining('Pipe a file into the command') });
});

onTerminal('a terminal gets colours, unless it wants none', async () => {
  const env = { EVALGATE_API_KEY: gated.apiKey };
  const coloured = await start('run returns --output bad.txt', env).ended;
  expect(coloured.code).toBe(1);
  expect(coloured.said).toContain('\u001b[31m✗');
  const plain = [
    start('run returns --output bad.txt --no-color', env),
    start('run returns --output bad.txt', { ...env, NO_COLOR: '1' }),
  ];
  for (const { ended } of plain) expect((await ended).said).not.toMatch(/\u001b\[\d+m/);
});
