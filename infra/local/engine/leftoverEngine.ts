import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataFolder } from '../data/dataFolder.ts';

const GRACE_MS = 2_000;
const POLL_MS = 20;

/** Ends an engine that outlived its service: it would write to the same database as the new one. */
export async function endLeftoverEngine(folder: DataFolder): Promise<void> {
  const pid = recordedPid(folder);
  if (pid === undefined) return;
  const isOurs = (): boolean => commandOf(pid).includes(folder.databaseFile);
  const killAt = performance.now() + GRACE_MS;
  while (isOurs()) {
    if (performance.now() > killAt) kill(pid);
    await delay(POLL_MS);
  }
  rmSync(folder.enginePidFile, { force: true });
}

/** Kills the process group with the watcher, if there is one. */
function kill(pid: number): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      // It ended a moment ago, or leads no group.
    }
  }
}

function recordedPid(folder: DataFolder): number | undefined {
  try {
    const pid = Number(readFileSync(folder.enginePidFile, 'utf8'));
    return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Empty when the process is gone or unreadable. The number may belong to another process by now. */
function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}
