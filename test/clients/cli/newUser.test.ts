import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Evalgate } from '../../../clients/sdk/index.ts';
import { type RunningService, startService } from '../../support/service.ts';
import { aPlace, type Place } from './cli.ts';

let service: RunningService;
let place: Place;
beforeAll(async () => {
  service = await startService();
  place = aPlace();
});
afterAll(() => place.remove());

/** What `init` writes for the suite `returns`, at the service. */
async function makeSuite(url: string, apiKey: string): Promise<void> {
  const gate = new Evalgate({ url, apiKey });
  await gate.projects.create({ name: 'Support', slug: 'support' });
  const suite = await gate.suites.create('support', { name: 'Returns', slug: 'returns' });
  const values = ['30 days'];
  const scorer = await gate.scorers.create('support', { name: 'Days', type: 'contains', config: { values } });
  await gate.cases.create(suite.id, { name: 'Return window', input: {}, scorer_id: scorer.id });
}

test('a new user logs in, writes files, tries and runs a gate, and each way that fails says what helps', async () => {
  const { baseUrl, apiKey } = service;
  const url = ['--url', baseUrl];
  const login = await place.cli(['login', ...url, '--with-key'], { stdin: `${apiKey}\n` });
  expect(login).toMatchObject({ code: 0, stderr: expect.stringContaining(`Logged in to ${baseUrl}`) });
  expect(await place.cli(['whoami'])).toMatchObject({ code: 0 });

  expect(await place.cli(['init', 'returns'])).toMatchObject({ code: 0 });
  expect(existsSync(path.join(place.folder, 'evals/returns.suite.yaml'))).toBe(true);
  expect(await place.cli(['validate'])).toMatchObject({ code: 0 });
  place.file('good.txt', 'You can return it within 30 days.');
  place.file('bad.txt', 'Never.');
  expect(await place.cli(['try', 'returns', '--output', 'good.txt'])).toMatchObject({ code: 0 });

  await makeSuite(baseUrl, apiKey);
  const run = (file: string, suite = 'returns') =>
    place.cli(['run', suite, '--project', 'support', '--output', file]);
  expect(await run('good.txt')).toMatchObject({ code: 0, stdout: expect.stringContaining('cleared') });
  const bad = await run('bad.txt');
  expect(bad).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('missing all of 1 value: "30 days"'),
  });
  expect(await run('good.txt', 'retruns')).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('Suites that you may run: returns'),
  });
  expect(await run('none.txt')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('the output does not exist'),
  });

  await service.stop();
  const env = { EVALGATE_RETRIES: '0' };
  const gone = await place.cli(['run', 'returns', '--output', 'good.txt'], { env });
  expect(gone).toEqual({
    code: 3,
    stdout: '',
    stderr: expect.stringContaining(`Does the service run at ${baseUrl}?`),
  });
  for (const { stderr } of [login, bad, gone]) expect(stderr).not.toContain(apiKey);
});
