import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isAlive, NODE, REPOSITORY_DIR } from './processes.ts';

/** The shared folder of one run of `npm test`; a run of jest alone shares nothing. */
const RUN_FOLDER = process.env.EVALGATE_TEST_FOLDER ?? mkdtempSync(path.join(tmpdir(), 'evalgate-made-'));

const LOOK_AGAIN_MS = 50;

/**
 * A folder that a script fills once in a test run. `script` is a path from here; it gets the folder's path. Its files must not
 * be changed. It appears atomically. Others wait for the process that makes it, unless that has died.
 */
export function madeOnce(name: string, script: string): string {
  const made = path.join(RUN_FOLDER, name);
  while (!existsSync(made)) {
    if (isMaker(`${made}.maker`)) make(made, script);
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS);
  }
  return made;
}

/** Whether this process is to make it. */
function isMaker(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    // There is none when the maker has failed just now.
    const maker = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
    if (maker > 0 && maker !== process.pid && isAlive(maker)) return false;
    rmSync(file, { force: true });
    return isMaker(file);
  }
}

function make(made: string, script: string): void {
  const own = mkdtempSync(path.join(RUN_FOLDER, 'making-'));
  // As `cdk` starts its app: Node's flags change what its modules export, and with it the bytes of bundles.
  const maker = path.join(import.meta.dirname, script);
  try {
    execFileSync(NODE, ['scripts/with-node.mjs', maker, own], { cwd: REPOSITORY_DIR });
    renameSync(own, made);
  } catch (error) {
    // Others may try in its place instead of waiting for it.
    rmSync(`${made}.maker`, { force: true });
    if (!existsSync(made)) throw error;
  }
}
