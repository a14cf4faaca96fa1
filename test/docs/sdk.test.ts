import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import * as sdk from '../../clients/sdk/index.ts';
import { api, sharedServiceUrl } from '../support/api.ts';
import { NODE, REPOSITORY_DIR } from '../support/processes.ts';
import { temporaryFolder } from '../support/service.ts';
import { spawned } from '../support/spawned.ts';
import { blocksOf, readPage } from './pages.ts';

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const page = readPage('docs/sdk.md');

test('the example of docs/sdk.md runs as it is printed', async () => {
  const url = sharedServiceUrl();
  const { body } = await api(url)('POST', '/v1/auth/signup', { name: 'Reader' });
  const [example = ''] = blocksOf(page, 'ts');
  const source = pathToFileURL(path.join(REPOSITORY_DIR, 'clients/sdk/index.ts')).href;
  const file = path.join(folder, 'example.mts');
  writeFileSync(file, example.replace("'evalgate'", `'${source}'`));
  const env = { NODE_OPTIONS: '', EVALGATE_URL: url, EVALGATE_API_KEY: body.data.api_key.key };
  const command = ['--disable-warning=ExperimentalWarning', file];
  const said = await spawned(NODE, command, { env: { ...process.env, ...env } }).ended;
  expect(said).toMatchObject({ code: 0, stderr: '' });
  const [failure, ...runs] = said.stdout.trim().split('\n');
  expect(failure).toBe('return window: missing all of 1 value: "30 days"');
  expect(runs).toEqual([
    expect.stringMatching(/^run_\w+ aborted$/),
    expect.stringMatching(/^run_\w+ cleared$/),
  ]);
});

test('docs/sdk.md names every class of errors', () => {
  for (const name of Object.keys(sdk).filter((exported) => exported.endsWith('Error'))) {
    expect(page.text).toContain(`\`${name}\``);
  }
});
