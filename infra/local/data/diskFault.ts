import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errorCode, messageOf, StartupError } from '../startupError.ts';

/** What the operator does about each error of the operating system. */
const REMEDIES: ReadonlyMap<string | undefined, string> = new Map([
  ['ENOSPC', 'its disk is full: make room, then start again'],
  ['EDQUOT', 'the quota of its user is used up: make room or raise it, then start again'],
  ['EFBIG', 'a file there may not grow: raise the limit of `ulimit -f`, then start again'],
  ['EROFS', 'it is mounted read-only: mount it to be written to, then start again'],
  ['EACCES', 'the user of the service may not write there: give it the right, then start again'],
  ['EPERM', 'the user of the service may not write there: give it the right, then start again'],
  ['EIO', 'its disk fails: replace it, and start on the latest copy'],
  ['EMFILE', 'the process has too many open files: raise `ulimit -n`, then start again'],
  ['ENFILE', 'the machine has too many open files: end what holds them, then start again'],
]);
/** As much as the engine needs for what is larger than most. */
const PROBE_BYTES = 262_144;

/** Why a start failed, in the operator's words: where the folder takes no writes, that is the reason of whatever failed. */
export function explainedStart(error: unknown, folder: string): unknown {
  const fault = REMEDIES.has(errorCode(error)) ? error : faultOfWriting(folder);
  const remedy = REMEDIES.get(errorCode(fault));
  if (remedy === undefined) return error;
  return new StartupError(
    `The data folder ${folder} cannot be written to (${messageOf(fault)}), since ${remedy}, or set EVALGATE_DATA_DIR to another folder.`,
  );
}

function faultOfWriting(folder: string): unknown {
  const file = path.join(folder, 'probe');
  try {
    writeFileSync(file, Buffer.alloc(PROBE_BYTES), { flush: true });
    return undefined;
  } catch (error) {
    return error;
  } finally {
    drop(file);
  }
}

function drop(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Where the folder is none, there is nothing to drop.
  }
}
