import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Settings of a repository could name a program to run. */
const SETTINGS = ['-c', 'core.fsmonitor=false', '-c', 'safe.bareRepository=explicit'];
const LIST = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
const BYTES_MAX = 64 * 1_024 * 1_024;

/** Whether git ignores a file below the folder. Nothing is ignored where there is no git, or no repository. */
export function ignoredByGit(root: string): (name: string) => boolean {
  const listed = new Set(listIn(root).split('\0'));
  return (name) => {
    const parts = name.split('/');
    return (
      listed.has(name) || parts.some((_, index) => listed.has(`${parts.slice(0, index + 1).join('/')}/`))
    );
  };
}

function listIn(root: string): string {
  if (!mayBeInRepository(root)) return '';
  try {
    return execFileSync('git', ['-C', root, ...SETTINGS, ...LIST], {
      ...{ encoding: 'utf8', maxBuffer: BYTES_MAX, stdio: ['ignore', 'pipe', 'ignore'] },
    });
  } catch {
    return '';
  }
}

/** Starting git takes longer than looking for what it would look for. */
function mayBeInRepository(root: string): boolean {
  if (process.env.GIT_DIR !== undefined) return true;
  for (let folder = root; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, '.git'))) return true;
    if (folder === path.dirname(folder)) return false;
  }
}
