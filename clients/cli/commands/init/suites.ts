import { existsSync } from 'node:fs';
import path from 'node:path';
import { CONFIG_FILE } from '../../../files/disk/repository.ts';
import { Problems } from '../../../files/read/problems.ts';
import { Problem } from '../../problem.ts';

/** Slugs of the suites that the files of this folder hold. What is wrong with them, other commands say. */
export async function suitesIn(cwd: string): Promise<readonly string[]> {
  if (!existsSync(path.join(cwd, CONFIG_FILE))) return [];
  const { loadFiles } = await import('../../../files/resolve/loadFiles.ts');
  const { suites = [] } = loadFiles(cwd, new Problems()) ?? {};
  return suites.flatMap(({ head }) => head?.suite ?? []);
}

/** Of an example. */
const FIRST_SUITE = 'returns';

/** The suite that is written where files do not hold it, and that a workflow gates. */
export function suiteOf(
  there: readonly string[],
  named: string | undefined,
  { suite: mayWrite, github = false }: { readonly suite: boolean; readonly github?: boolean },
): { readonly suite: string; readonly isNew: boolean } {
  if (named !== undefined) return { suite: named, isNew: mayWrite && !there.includes(named) };
  const [first] = there;
  if (first === undefined) return { suite: FIRST_SUITE, isNew: mayWrite };
  if (!github || there.length === 1) return { suite: first, isNew: false };
  throw new Problem(
    `Which suite does the workflow gate? There are ${there.join(', ')}.`,
    `Name it: evalgate init ${first} --github`,
  );
}
