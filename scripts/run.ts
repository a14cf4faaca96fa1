import { spawn } from 'node:child_process';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '..');

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface Options {
  readonly nodeFlags?: readonly string[] | undefined;
  /** Ends the command. */
  readonly signal?: AbortSignal | undefined;
}

interface Ended {
  readonly code: number;
  /** stdout and stderr; empty for `run`, which shows them. */
  readonly output: string;
}

/** Runs a package's command on this process's Node and returns its exit code. */
export async function run(
  bin: string,
  args: readonly string[],
  { nodeFlags = [], signal }: Options = {},
): Promise<number> {
  return (await runAs('inherit', [bin, ...args], { nodeFlags, signal })).code;
}

/** The same for concurrent commands: returns the output instead of showing it. */
export const runQuietly = (bin: string, args: readonly string[]): Promise<Ended> =>
  runAs('pipe', [bin, ...args], {});

/** Passes signals on to the command, so that this script can clear up after it. */
function runAs(
  stdio: 'inherit' | 'pipe',
  [bin = '', ...args]: readonly string[],
  { nodeFlags = [], signal: ending }: Options,
): Promise<Ended> {
  const child = spawn(process.execPath, [...nodeFlags, path.join(ROOT, 'node_modules', bin), ...args], {
    cwd: ROOT,
    stdio: ['inherit', stdio, stdio],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const end = (signal: NodeJS.Signals): void => void child.kill(signal);
  const endEarly = (): void => end('SIGTERM');
  for (const signal of SIGNALS) process.on(signal, end);
  ending?.addEventListener('abort', endEarly);
  return new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  }).finally(() => {
    for (const signal of SIGNALS) process.off(signal, end);
    ending?.removeEventListener('abort', endEarly);
  });
}
