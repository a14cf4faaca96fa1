import { spawn } from 'node:child_process';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '..');

/** Runs a package's command with the Node this script runs on; answers its exit code. */
export function run(
  bin: string,
  args: readonly string[],
  nodeFlags: readonly string[] = [],
): Promise<number> {
  const child = spawn(process.execPath, [...nodeFlags, path.join(ROOT, 'node_modules', bin), ...args], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
