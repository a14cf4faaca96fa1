import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { isAlive, NODE, REPOSITORY_DIR } from '../../support/processes.ts';
import { eventually, startService, temporaryFolder } from '../../support/service.ts';

let root: string;

/** A repository in which npm is a script that notes how it was called and installs what is locked. */
beforeEach(() => {
  root = temporaryFolder();
  mkdirSync(path.join(root, 'scripts'));
  copyFileSync(path.join(REPOSITORY_DIR, 'scripts/with-node.mjs'), path.join(root, 'scripts/with-node.mjs'));
  write('package.json', { type: 'module' });
  write('npm/package.json', { type: 'commonjs' });
  write(
    'package-lock.json',
    lock({ one: '1.0.0', node: '24.0.0', dev_one: '1.0.0', other_platform: undefined }),
  );
  write(
    'entry.ts',
    `const text: string = process.argv.slice(2).join(); process.stdout.write(text + process.version);`,
  );
  write(
    'npm/npm-cli.js',
    `
const fs = require('node:fs');
fs.appendFileSync('npm-calls', process.argv.slice(2).join(' ') + '\\n');
if (process.env.NPM_FAILS) process.exit(1);
fs.mkdirSync('node_modules/node/bin', { recursive: true });
fs.rmSync('node_modules/node/bin/node', { force: true });
if (!process.env.NPM_BLOCKS) fs.symlinkSync(${JSON.stringify(NODE)}, 'node_modules/node/bin/node');
fs.copyFileSync('package-lock.json', 'node_modules/.package-lock.json');
process.stdout.write('added packages');
`,
  );
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(name: string, content: unknown): void {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}

/** Undefined is a package of another platform; names that begin with `dev` are those of packages for tests. */
function lock(versions: Record<string, string | undefined>) {
  const packages = Object.entries(versions).map(([name, version]) => [
    `node_modules/${name}`,
    { version: version ?? '1.0.0', optional: version === undefined, dev: name.startsWith('dev') },
  ]);
  return { packages: { '': { name: 'x' }, ...Object.fromEntries(packages) } };
}

function installed(versions: Record<string, string>): void {
  mkdirSync(path.join(root, 'node_modules/node/bin'), { recursive: true });
  symlinkSync(NODE, path.join(root, 'node_modules/node/bin/node'));
  write('node_modules/.package-lock.json', lock(versions));
}

function withNode(args: string[], env: Record<string, string> = {}) {
  return spawnSync(NODE, [path.join(root, 'scripts/with-node.mjs'), ...args], {
    cwd: '/',
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '', npm_execpath: path.join(root, 'npm/npm-cli.js'), ...env },
  });
}

function npmCalls(): string[] {
  try {
    return readFileSync(path.join(root, 'npm-calls'), 'utf8').trim().split('\n');
  } catch {
    return [];
  }
}

describe('installing', () => {
  test.each([
    ['nothing is installed', undefined],
    ['a package is missing', { node: '24.0.0', dev_one: '1.0.0' }],
    ['a package has another version', { node: '24.0.0', one: '0.9.0', dev_one: '1.0.0' }],
  ])('happens with the locked versions, on stderr, when %s', (_what, there) => {
    if (there !== undefined) {
      installed(there);
      rmSync(path.join(root, 'node_modules/node/bin/node'));
    }
    const { status, stdout, stderr } = withNode(['entry.ts', 'a']);
    expect(stderr).toContain('installing');
    expect({ status, stdout }).toEqual({ status: 0, stdout: `a${pinnedVersion()}` });
    expect(npmCalls()).toEqual(['ci --include=optional --include=dev --no-audit --no-fund --loglevel=error']);
  });

  test('for the service leaves out what only tests need, which is added to it when they come', () => {
    expect(withNode(['--runtime', 'entry.ts', 'a'])).toMatchObject({
      status: 0,
      stdout: `a${pinnedVersion()}`,
    });
    write('node_modules/.package-lock.json', lock({ node: '24.0.0', one: '1.0.0' }));
    expect(withNode(['--runtime', 'entry.ts', 'a']).stderr).toBe('');
    expect(withNode(['entry.ts', 'a']).status).toBe(0);
    expect(npmCalls()).toEqual([
      'ci --include=optional --omit=dev --no-audit --no-fund --loglevel=error',
      'install --no-save --include=optional --include=dev --no-audit --no-fund --loglevel=error',
    ]);
  });

  test('does not happen when all is there but optional packages of other platforms', () => {
    installed({ node: '24.0.0', one: '1.0.0', dev_one: '1.0.0' });
    expect(withNode(['entry.ts', 'a', 'b c'])).toMatchObject({
      status: 0,
      stdout: `a,b c${pinnedVersion()}`,
      stderr: '',
    });
    expect(npmCalls()).toEqual([]);
  });

  test.each([
    ['npm fails', { NPM_FAILS: '1' }, /npm ci` failed/],
    [
      'the pinned Node could not be installed and the own one is too old',
      { NPM_BLOCKS: '1', NODE_OPTIONS: ownNodeIs('24.1.0') },
      /npm rebuild node.*Node 24\.2 or newer/,
    ],
    [
      'the own Node is too old for anything',
      { NODE_OPTIONS: ownNodeIs('18.20.0') },
      /Node 20 or newer is needed, this is 18\.20\.0/,
    ],
  ])('ends with one sentence and a failure when %s', (_what, env, sentence) => {
    const { status, stdout, stderr } = withNode(['entry.ts'], env);
    expect({ status, stdout: stdout.replace('added packages', '') }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(sentence);
  });
});

test('the own Node does where the pinned one could not be installed', () => {
  const { status, stdout } = withNode(['entry.ts', 'a'], { NPM_BLOCKS: '1' });
  expect({ status, stdout }).toEqual({ status: 0, stdout: `a${pinnedVersion()}` });
});

test('the entry decides the exit code', () => {
  installed({ node: '24.0.0', one: '1.0.0', dev_one: '1.0.0' });
  write('entry.ts', 'process.exit(7)');
  expect(withNode(['entry.ts']).status).toBe(7);
  write('entry.ts', `process.kill(process.pid, 'SIGKILL'); setTimeout(() => {}, 60_000)`);
  expect(withNode(['entry.ts']).status).toBe(137);
});

test('the entry finds the tools of node_modules first', () => {
  installed({ node: '24.0.0', one: '1.0.0', dev_one: '1.0.0' });
  write('entry.ts', `process.stdout.write(process.env.PATH ?? '')`);
  expect(withNode(['entry.ts']).stdout.split(path.delimiter)[0]).toBe(path.join(root, 'node_modules/.bin'));
});

describe('around the real service', () => {
  const command = [NODE, path.join(REPOSITORY_DIR, 'scripts/with-node.mjs'), 'infra/local/main.ts'];

  test('kill -9 takes the service and its engine along', async () => {
    const dataDir = temporaryFolder();
    const service = await startService({ command, dataDir });
    const { pid } = JSON.parse(readFileSync(path.join(dataDir, 'service.json'), 'utf8'));
    const enginePid = service.enginePid();
    expect(isAlive(pid)).toBe(true);
    service.process.kill('SIGKILL');
    await eventually(() => !isAlive(pid) && !isAlive(enginePid));
    rmSync(dataDir, { recursive: true });
  });

  test.each([
    ['Ctrl-C, which reaches the whole process group,', 'SIGINT', -1],
    ['SIGTERM to npm alone', 'SIGTERM', 1],
  ] as const)('%s stops npm start and leaves nothing running', async (_what, signal, target) => {
    const dataDir = temporaryFolder();
    const npm = spawn('npm', ['start'], {
      cwd: REPOSITORY_DIR,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, NODE_OPTIONS: '', PORT: '0', EVALGATE_DATA_DIR: dataDir },
    });
    let said = '';
    npm.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    await eventually(() => said.includes('evalgate init'));
    const { pid } = JSON.parse(readFileSync(path.join(dataDir, 'service.json'), 'utf8'));
    const enginePid = Number(readFileSync(path.join(dataDir, 'engine.pid'), 'utf8'));
    process.kill(target * (npm.pid ?? 0), signal);
    await once(npm, 'close');
    await eventually(() => !isAlive(pid) && !isAlive(enginePid));
    rmSync(dataDir, { recursive: true });
  });
});

function ownNodeIs(version: string): string {
  const preload = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
  return `--import=data:text/javascript,${encodeURIComponent(preload)}`;
}

function pinnedVersion(): string {
  return spawnSync(NODE, ['--version'], { encoding: 'utf8' }).stdout.trim();
}
