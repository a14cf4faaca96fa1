import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { REPOSITORY_DIR } from '../../support/processes.ts';
import { eventually, temporaryFolder } from '../../support/service.ts';
import { spawned } from '../../support/spawned.ts';
import { buildInFolders } from './containerSteps.ts';

/** Both install the packages of the lockfile: from the cache of npm, where it has them. */

const statusOf = (url: string): Promise<number> =>
  fetch(url).then(
    ({ status }) => status,
    () => 0,
  );

test('the steps of the Containerfile, done in folders, make a service that starts by its CMD, installs nothing more and has the command line', async () => {
  const root = temporaryFolder();
  try {
    const { command, ...place } = await buildInFolders(root);
    const [file = '', ...args] = command;
    const env = { ...place.env, PORT: '0', BASE_URL: '', STRIPE_SECRET_KEY: '' };
    const service = spawned(file, args, { cwd: place.cwd, env });
    try {
      await eventually(() => service.said().includes('\nAPI docs: ') || service.child.exitCode !== null);
      const port = /^Base URL: +\S+:(\d+)$/m.exec(service.said())?.[1];
      expect({ port, said: service.said() }).toMatchObject({ port: expect.any(String) });
      expect(await statusOf(`http://127.0.0.1:${port}/health`)).toBe(200);
      for (const path of ['/client/evalgate.tgz', '/app'])
        expect(await statusOf(`http://127.0.0.1:${port}${path}`)).toBe(200);
    } finally {
      service.child.kill('SIGTERM');
    }
    const { code, stderr } = await service.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('installing') });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

const engine = ['podman', 'docker'].find(
  (name) => spawnSync(name, ['info'], { stdio: 'ignore', timeout: 20_000 }).status === 0,
);

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await spawned(engine ?? '', args, { cwd: REPOSITORY_DIR }).ended;
  if (code !== 0) throw new Error(`${engine} ${args[0]}: ${stderr}`);
  return stdout.trim();
}

(engine === undefined ? test.skip : test)('an image that podman or docker builds answers', async () => {
  const image = `evalgate-test-${process.pid}`;
  await run('build', '-f', 'Containerfile', '-t', image, '.');
  const container = await run('run', '-d', '--init', '-p', '127.0.0.1::3000', image);
  try {
    const address = (await run('port', container, '3000')).split('\n')[0];
    await eventually(async () => {
      expect(await run('inspect', '-f', '{{.State.Running}}', container)).toBe('true');
      return (await statusOf(`http://${address}/health`)) === 200;
    });
    for (const path of ['/client/evalgate.tgz', '/app'])
      expect(await statusOf(`http://${address}${path}`)).toBe(200);
  } finally {
    await run('rm', '-f', '-v', container);
    await run('rmi', image);
  }
});
