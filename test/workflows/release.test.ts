import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { bash } from '../docs/shell.ts';
import { NODE, REPOSITORY_DIR } from '../support/processes.ts';
import { temporaryFolder } from '../support/service.ts';
import { readWorkflow, scriptOf } from './workflows.ts';

const release = readWorkflow('.github/workflows/release.yml');
const root = temporaryFolder();
let folder: string;
let count = 0;

beforeEach(() => {
  folder = path.join(root, String(++count));
  mkdirSync(folder);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const run = (script: string, env: Record<string, string>) =>
  bash(script, { cwd: folder, flags: ['-e', '-o', 'pipefail'], env });

function git(...args: string[]): string {
  const who = ['-c', 'user.name=somebody', '-c', 'user.email=somebody@example.com'];
  const { stdout, stderr, status } = spawnSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

describe('a tag', () => {
  const script = scriptOf(release, 'package', 'Compare the tag');

  test('is released where it names the version and main has its commit, and else refused with what to do', async () => {
    writeFileSync(path.join(folder, 'package.json'), '{"version": "1.4.0"}');
    git('init', '--quiet', '--initial-branch=main');
    git('add', '.');
    git('commit', '--quiet', '--message=one');
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    const GITHUB_SHA = git('rev-parse', 'HEAD');
    expect(await run(script, { GITHUB_REF_NAME: 'v1.4.0', GITHUB_SHA })).toMatchObject({
      code: 0,
      stdout: '',
    });
    expect(await run(script, { GITHUB_REF_NAME: 'v1.5.0', GITHUB_SHA })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('package.json has 1.4.0'),
    });
    git('commit', '--quiet', '--allow-empty', '--message=two');
    const elsewhere = git('rev-parse', 'HEAD');
    expect(await run(script, { GITHUB_REF_NAME: 'v1.4.0', GITHUB_SHA: elsewhere })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('main does not have this commit'),
    });
  });
});

describe('the package of a release', () => {
  test('is the one that the service serves, but may be published and names its repository', async () => {
    const packed = spawnSync(NODE, [path.join(REPOSITORY_DIR, 'clients/npm/pack.ts')], {
      maxBuffer: 50_000_000,
    });
    writeFileSync(path.join(folder, 'served.tgz'), packed.stdout);
    spawnSync('tar', ['--extract', '--file=served.tgz', '--strip-components=1'], { cwd: folder });
    rmSync(path.join(folder, 'served.tgz'));
    const served = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const { code, stdout } = await run(scriptOf(release, 'package', 'Pack'), {
      GITHUB_REPOSITORY: 'octo-org/evalgate',
    });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining(`evalgate-${served.version}.tgz`),
    });
    const { private: _, ...open } = served;
    const listed = spawnSync('tar', ['-xzOf', `evalgate-${served.version}.tgz`, 'package/package.json'], {
      cwd: folder,
    });
    expect(JSON.parse(String(listed.stdout))).toEqual({
      ...open,
      repository: { type: 'git', url: 'git+https://github.com/octo-org/evalgate.git' },
    });
  });
});

describe('the tag of the major version', () => {
  const script = scriptOf(release, 'major', 'Move the tag of the major version');

  /** In place of GitHub's command: it knows some tags, and keeps what it was asked to write. */
  async function moved(tag: string, tags: readonly string[]): Promise<{ said: string; asked: string[] }> {
    const [calls, known] = [path.join(folder, 'calls'), path.join(folder, 'known')];
    writeFileSync(calls, '');
    writeFileSync(known, tags.map((name) => `refs/tags/${name}\n`).join(''));
    writeFileSync(
      path.join(folder, 'gh'),
      `#!/bin/sh
case "$*" in
  *matching-refs*) cat '${known}' ;;
  *PATCH*) echo "$@" >> '${calls}'; grep -qx "refs/tags/\${4##*/}" '${known}' ;;
  *) echo "$@" >> '${calls}' ;;
esac
`,
    );
    chmodSync(path.join(folder, 'gh'), 0o755);
    const { code, stdout } = await run(script, {
      PATH: `${folder}:${process.env.PATH}`,
      GITHUB_REPOSITORY: 'o/e',
      GITHUB_REF_NAME: tag,
      GITHUB_SHA: 'abc',
    });
    expect(code).toBe(0);
    return { said: stdout, asked: readFileSync(calls, 'utf8').trim().split('\n') };
  }

  test('is moved to the release, and made by the first one', async () => {
    const move = 'api --method PATCH repos/o/e/git/refs/tags/v1 -f sha=abc -F force=true';
    expect((await moved('v1.10.0', ['v1', 'v1.2.0', 'v1.9.1', 'v1.10.0'])).asked).toEqual([move]);
    const make = 'api --method POST repos/o/e/git/refs -f ref=refs/tags/v1 -f sha=abc';
    expect((await moved('v1.0.0', ['v1.0.0'])).asked).toEqual([move, make]);
  });

  test('stays where a newer release of it is', async () => {
    const { said, asked } = await moved('v1.9.2', ['v1', 'v1.9.1', 'v1.9.2', 'v1.10.0']);
    expect({ said, asked }).toEqual({ said: expect.stringContaining('v1 stays at v1.10.0'), asked: [''] });
  });
});
