import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Said {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a script by bash in a folder, with these flags. */
export async function bash(
  script: string,
  { cwd, env = {}, flags = [] }: { cwd: string; env?: Record<string, string>; flags?: readonly string[] },
): Promise<Said> {
  const child = spawn('bash', ['--noprofile', '--norc', ...flags, '-c', script], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      said[stream] += text;
    });
  }
  const [code] = await once(child, 'close');
  return { code, ...said };
}
