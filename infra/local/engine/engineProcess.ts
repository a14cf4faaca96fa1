import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { EngineCommand } from './engineCommand.ts';

export interface EngineExit {
  readonly reason: string;
  /** The end of what the engine wrote to stderr. */
  readonly lastWords: string;
}

export interface EngineProcess {
  readonly pid: number | undefined;
  readonly exited: Promise<EngineExit>;
  /** True when it answers; false when it ended or the deadline passed before it did. */
  ready(deadlineMs: number): Promise<boolean>;
  /** SIGTERM, and SIGKILL when that is not enough. */
  stop(): Promise<void>;
  /** Synchronous, for the exit of this process. */
  killNow(): void;
}

const STOP_DEADLINE_MS = 3_000;
const POLL_MS = 15;
const LAST_WORDS_CHARS = 2_000;
const SHELL = '/bin/sh';

/**
 * The shell starts a watcher and becomes the engine (`exec`), so that the engine is our child. The watcher reads from a
 * pipe that only the service holds: the pipe ends with the service, even by `kill -9`, and the watcher then kills the
 * engine's process group. The group's number cannot be reused while the watcher lives.
 */
const RUN_AND_WATCH = `
umask 077
exec 3<&0
(trap '' HUP INT TERM; read -r _ <&3; kill -s KILL -- "-$$") </dev/null >/dev/null 2>&1 &
exec "$@" </dev/null 3<&-
`;

export function spawnEngine(command: EngineCommand, port: number, databaseFile: string): EngineProcess {
  const flags = ['--host', '127.0.0.1', '--port', String(port), '--db-path', databaseFile];
  const child = spawnInGroup(command.file, [...command.args, ...flags]);
  const exited = exitOf(child);
  let running = true;
  void exited.then(() => {
    running = false;
  });
  const kill = (signal: NodeJS.Signals): void => {
    if (running) killGroup(child, signal);
  };
  return {
    pid: child.pid,
    exited,
    async ready(deadlineMs) {
      const giveUpAt = performance.now() + deadlineMs;
      while (running && performance.now() < giveUpAt) {
        if (await answers(port)) return running;
        await delay(POLL_MS);
      }
      return false;
    },
    async stop() {
      kill('SIGTERM');
      const timer = setTimeout(kill, STOP_DEADLINE_MS, 'SIGKILL');
      await exited;
      clearTimeout(timer);
    },
    killNow: () => kill('SIGKILL'),
  };
}

/** In its own process group, because Ctrl-C must reach the service first, which then stops the engine. */
function spawnInGroup(file: string, args: readonly string[]): ChildProcess {
  if (!existsSync(SHELL)) {
    const shell = process.platform === 'win32' && file === 'npx';
    return spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'], shell, windowsHide: true });
  }
  return spawn(SHELL, ['-c', RUN_AND_WATCH, 'evalgate-engine', file, ...args], {
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  });
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It ended a moment ago.
  }
}

function exitOf(child: ChildProcess): Promise<EngineExit> {
  let lastWords = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-LAST_WORDS_CHARS);
  });
  child.stdin?.on('error', () => {});
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ reason: error.message, lastWords }));
    child.once('close', (code, signal) => {
      resolve({ reason: signal === null ? `exit code ${code}` : signal, lastWords: lastWords.trim() });
    });
  });
}

async function answers(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(1_000) });
    await response.body?.cancel();
    return true;
  } catch {
    return false;
  }
}
