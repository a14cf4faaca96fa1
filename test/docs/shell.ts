import { type Said, spawned } from '../support/spawned.ts';

export type { Said } from '../support/spawned.ts';

interface Options {
  readonly cwd: string;
  readonly env?: Record<string, string>;
  readonly flags?: readonly string[];
}

/** Runs a script by bash in a folder, with these flags. */
export const bash = (script: string, { cwd, env = {}, flags = [] }: Options): Promise<Said> =>
  spawned('bash', ['--noprofile', '--norc', ...flags, '-c', script], { cwd, env: { ...process.env, ...env } })
    .ended;
