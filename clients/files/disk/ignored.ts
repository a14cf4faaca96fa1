import { execFileSync } from 'node:child_process';

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
  try {
    return execFileSync('git', ['-C', root, ...SETTINGS, ...LIST], {
      encoding: 'utf8',
      maxBuffer: BYTES_MAX,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}
