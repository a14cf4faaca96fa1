import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Api, api } from '../../support/api.ts';
import { engineOnFullDisk, noise } from '../../support/fullDisk.ts';
import { NODE, REPOSITORY_DIR } from '../../support/processes.ts';
import { eventually, type RunningService, startService, temporaryFolder } from '../../support/service.ts';

let parent: string;
let service: RunningService;
beforeEach(() => {
  parent = temporaryFolder();
});
afterEach(async () => {
  await service.stop();
  rmSync(parent, { recursive: true });
});

const client = (): Api => api(service.baseUrl, service.apiKey);
const slugs = async (): Promise<string[]> =>
  (await client()('GET', '/v1/projects?pageSize=100')).body.data.map(({ slug }: { slug: string }) => slug);

test('a copy that is made while the service writes has all that was acknowledged before it, and starts', async () => {
  const [dataDir, copy] = [path.join(parent, 'data'), path.join(parent, 'copy')];
  service = await startService({ dataDir });
  const made: string[] = [];
  let isCopied = false;
  const call = client();
  const writing = (async () => {
    while (!isCopied) {
      const slug = `project-${made.length}`;
      expect((await call('POST', '/v1/projects', { name: slug, slug })).status).toBe(201);
      made.push(slug);
      if (made.length === 90) break;
    }
  })();
  await eventually(() => made.length >= 3);
  const before = [...made];
  await promisify(execFile)(NODE, [path.join(REPOSITORY_DIR, 'scripts/backup.ts'), copy], {
    env: { ...process.env, EVALGATE_DATA_DIR: dataDir },
  });
  isCopied = true;
  await writing;
  await service.stop();
  service = await startService({ dataDir: copy });
  expect(await slugs()).toEqual(expect.arrayContaining(before));
  const { status } = await client()('POST', '/v1/projects', { name: 'After', slug: 'after' });
  expect(status).toBe(201);
});

test('a full disk refuses writes, and loses nothing that was acknowledged', async () => {
  const dataDir = path.join(parent, 'data');
  service = await startService({ dataDir, env: { DYNOXIDE_PATH: engineOnFullDisk(parent) } });
  expect((await client()('POST', '/v1/projects', { name: 'Bot', slug: 'bot' })).status).toBe(201);
  const suite = (await client()('POST', '/v1/projects/bot/suites', { name: 'Large' })).body.data;
  const config = { values: ['x'] };
  const scorer = (await client()('POST', '/v1/projects/bot/scorers', { name: 'X', type: 'contains', config }))
    .body.data;
  const kept: string[] = [];
  let answer = await client()('GET', '/health');
  do {
    const input = { noise: noise(kept.length) };
    answer = await client()('POST', `/v1/suites/${suite.id}/cases`, {
      name: `case ${kept.length}`,
      input,
      scorer_id: scorer.id,
    });
    if (answer.status === 201) kept.push(answer.body.data.id);
  } while (answer.status === 201);
  expect([answer.status, answer.body.error.code]).toEqual([507, 'STORAGE_FULL']);
  expect((await client()('GET', '/health')).status).toBe(503);
  await service.stop();
  service = await startService({ dataDir });
  const { data } = (await client()('GET', `/v1/suites/${suite.id}/cases?pageSize=100`)).body;
  expect(data.map(({ id }: { id: string }) => id)).toEqual(kept);
  const after = await client()('POST', '/v1/projects', { name: 'After', slug: 'after' });
  expect(after.status).toBe(201);
});
