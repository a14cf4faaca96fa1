import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NODE, REPOSITORY_DIR } from './service.ts';

/** The shared folder of one run of `npm test`; a run of jest alone shares nothing. */
const RUN_FOLDER = process.env.EVALGATE_TEST_FOLDER ?? mkdtempSync(path.join(tmpdir(), 'evalgate-made-'));

/**
 * A folder that a script fills once in a test run. `script` is a path from here; it gets the folder's path. Its files must not
 * be changed. It appears atomically; of two concurrent makers the first one's is kept.
 */
export function madeOnce(name: string, script: string): string {
  const made = path.join(RUN_FOLDER, name);
  if (existsSync(made)) return made;
  const own = mkdtempSync(path.join(RUN_FOLDER, 'making-'));
  // As `cdk` starts its app: Node's flags change what its modules export, and with it the bytes of bundles.
  const maker = path.join(import.meta.dirname, script);
  execFileSync(NODE, ['scripts/with-node.mjs', maker, own], { cwd: REPOSITORY_DIR });
  try {
    renameSync(own, made);
  } catch (error) {
    if (!existsSync(made)) throw error;
  }
  return made;
}
