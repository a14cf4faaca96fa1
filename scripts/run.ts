import { spawn } from 'node:child_process';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '..');

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface Ended {
  readonly code: number;
  /** Both streams; empty unless it was to be kept. */
  readonly output: string;
}

/** Runs a package's command with the Node this script runs on; answers its exit code. */
export async function run(
  bin: string,
  args: readonly string[],
  nodeFlags: readonly string[] = [],
): Promise<number> {
  return (await runAs('inherit', bin, args, nodeFlags)).code;
}

/** The same for one of several that run at once: what it says is answered, not shown. */
export const runQuietly = (bin: string, args: readonly string[]): Promise<Ended> =>
  runAs('pipe', bin, args, []);

/** What would end this script ends the command, so that the script can still clear up. */
function runAs(
  stdio: 'inherit' | 'pipe',
  bin: string,
  args: readonly string[],
  nodeFlags: readonly string[],
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
  for (const signal of SIGNALS) process.on(signal, end);
  return new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  }).finally(() => {
    for (const signal of SIGNALS) process.off(signal, end);
  });
}
