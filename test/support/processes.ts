import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const REPOSITORY_DIR = path.resolve(import.meta.dirname, '../..');
const PINNED_NODE = path.join(REPOSITORY_DIR, 'node_modules/node/bin/node');

/** The Node that the lockfile pins, whichever one runs the tests; the one that does where there is no such. */
export const NODE = existsSync(PINNED_NODE) ? PINNED_NODE : process.execPath;

/** False for a process that is gone, and for one that is dead and only waits to be collected. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== 'linux') return true;
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
