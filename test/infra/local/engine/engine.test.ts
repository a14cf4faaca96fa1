import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { isAlive, NODE, REPOSITORY_DIR } from '../../../support/processes.ts';
import { eventually, runService, startService, temporaryFolder } from '../../../support/service.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const realEngine = path.join(
  path.dirname(
    createRequire(import.meta.url).resolve(`@dynoxide/${process.platform}-${process.arch}/package.json`),
  ),
  'dynoxide',
);

function program(name: string, script: string): string {
  const file = path.join(dataDir, name);
  writeFileSync(file, script);
  chmodSync(file, 0o755);
  return file;
}

test('an engine that dies twice is given up with one sentence and a failure', async () => {
  const marker = path.join(dataDir, 'worked-once');
  const engine = program(
    'engine',
    `#!/bin/sh
[ -e '${marker}' ] && { echo 'error: the disk is on fire' >&2; exit 3; }
touch '${marker}'
exec '${realEngine}' "$@"
`,
  );
  const service = await startService({ dataDir, env: { DYNOXIDE_PATH: engine } });
  process.kill(service.enginePid(), 'SIGKILL');
  await eventually(() => service.process.exitCode !== null);
  expect(service.process.exitCode).toBe(1);
  const sentences = service
    .stderr()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('{'));
  expect(sentences).toEqual([expect.stringMatching(/^evalgate: .*the disk is on fire.*\.$/)]);
});

test('without a binary for the platform npx runs the engine, in the version that is tested, which ends with a killed service', async () => {
  const { version } = JSON.parse(readFileSync(path.join(path.dirname(realEngine), 'package.json'), 'utf8'));
  const childPid = path.join(dataDir, 'child.pid');
  const npx = program(
    'npx',
    `#!/bin/sh
[ "$1 $2" = '--yes dynoxide@${version}' ] || exit 9
shift 2
'${realEngine}' "$@" &
echo $! > '${childPid}'
wait
`,
  );
  const service = await startService({
    dataDir,
    command: withoutInstalledEngine(),
    env: { PATH: `${path.dirname(npx)}:${process.env.PATH}` },
  });
  const pids = [service.enginePid(), Number(readFileSync(childPid, 'utf8'))];
  expect(pids.every(isAlive)).toBe(true);
  await service.kill9();
  await eventually(() => !pids.some(isAlive));
});

test('without a binary and with an npx that finds nothing, the sentence names DYNAMODB_ENDPOINT', async () => {
  program('npx', "#!/bin/sh\necho 'npm error code E404' >&2\nexit 1\n");
  const exit = await runService({ dataDir, command: withoutInstalledEngine(), env: { PATH: dataDir } });
  expect(exit.code).toBe(1);
  expect(exit.stderr).toMatch(
    /^evalgate: No database engine is installed for .+: set DYNAMODB_ENDPOINT .+\.\n$/,
  );
});

/** The service as it runs on a platform that no engine is installed for. */
function withoutInstalledEngine(): string[] {
  const preload = `Object.defineProperty(process, 'arch', { value: 'sparc' })`;
  return [
    NODE,
    '--import',
    `data:text/javascript,${encodeURIComponent(preload)}`,
    path.join(REPOSITORY_DIR, 'infra/local/main.ts'),
  ];
}
