import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Said {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Spawned {
  readonly child: ChildProcess;
  readonly ended: Promise<Said>;
  /** Until now. */
  said(): string;
}

/** A program, with all that it writes. */
export function spawned(command: string, args: readonly string[], options: SpawnOptions = {}): Spawned {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      said[stream] += text;
    });
  }
  const ended = once(child, 'close').then(([code]) => ({ code, ...said }));
  return { child, ended, said: () => said.stdout + said.stderr };
}
