import { accessSync, constants, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Linux's file system in memory. */
const IN_MEMORY = '/dev/shm';
/** With less, tests could fill it, or the memory of a small machine. */
const FREE_BYTES_MIN = 4 * 2 ** 30;

/**
 * Where tests put their files: a database there waits for no disk.
 * TMPDIR is another place.
 */
export function fastestFolder(): string {
  return process.env.TMPDIR === undefined && isUsable(IN_MEMORY) ? IN_MEMORY : tmpdir();
}

/** Containers may have little of it, or run no program from there. */
function isUsable(folder: string): boolean {
  const probe = path.join(folder, `evalgate-probe-${process.pid}`);
  try {
    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(probe, '', { mode: 0o755 });
    accessSync(probe, constants.X_OK);
    return bavail * bsize >= FREE_BYTES_MIN;
  } catch {
    return false;
  } finally {
    rmSync(probe, { force: true });
  }
}
