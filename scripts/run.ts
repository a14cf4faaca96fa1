import { spawn } from 'node:child_process';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '..');

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a package's command with the Node this script runs on; answers its exit code. What would end this script ends
 * the command, so that the script can still clear up.
 */
export function run(
  bin: string,
  args: readonly string[],
  nodeFlags: readonly string[] = [],
): Promise<number> {
  const child = spawn(process.execPath, [...nodeFlags, path.join(ROOT, 'node_modules', bin), ...args], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  const end = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, end);
  return new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  }).finally(() => {
    for (const signal of SIGNALS) process.off(signal, end);
  });
}
