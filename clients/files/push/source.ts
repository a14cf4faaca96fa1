import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Where a definition lies in version control, as far as it is known. */
export interface Source {
  readonly repository?: string;
  readonly ref?: string;
  readonly sha?: string;
  readonly path?: string;
}

const TEXT_MAX = 500;

/** Of a file below the work tree: by GitHub's variables, else by what git has written there. */
export function sourceOf(
  env: Readonly<Record<string, string | undefined>>,
  workTree: string,
  file: string,
): Source {
  const inJob = env.GITHUB_ACTIONS === 'true';
  const known = inJob
    ? { repository: env.GITHUB_REPOSITORY, ref: env.GITHUB_REF, sha: env.GITHUB_SHA }
    : fromGit(path.join(workTree, '.git'));
  const name = path.relative(workTree, file).split(path.sep).join('/');
  const given = Object.entries({ ...known, path: name.startsWith('../') ? undefined : name });
  return Object.fromEntries(given.filter(([, text]) => text && text.length <= TEXT_MAX));
}

function fromGit(dotGit: string): Omit<Source, 'path'> {
  // Of a work tree beside its repository `.git` is a file that names the folder.
  const named = /^gitdir: (.+)$/.exec(textOf(dotGit))?.[1];
  const gitFolder = named === undefined ? dotGit : path.resolve(path.dirname(dotGit), named);
  const common = path.resolve(gitFolder, textOf(path.join(gitFolder, 'commondir')));
  const head = textOf(path.join(gitFolder, 'HEAD'));
  const ref = /^ref: (refs\/[\w./-]+)$/.exec(head)?.[1];
  if (ref?.includes('..')) return {};
  const sha = ref === undefined ? head : textOf(path.join(common, ref)) || packed(common, ref);
  return {
    ...repositoryIn(textOf(path.join(common, 'config'))),
    ...(ref !== undefined && { ref }),
    ...(/^[0-9a-f]{40,64}$/.test(sha) && { sha }),
  };
}

function packed(folder: string, ref: string): string {
  const line = textOf(path.join(folder, 'packed-refs'))
    .split('\n')
    .find((one) => one.endsWith(` ${ref}`));
  return line?.split(' ')[0] ?? '';
}

/** `owner/name` of the first remote at a host; a path and its like say nothing to others. */
function repositoryIn(config: string): { readonly repository?: string } {
  for (const line of config.split('\n')) {
    const [, address = ''] = /^\s*url = (\S+)$/.exec(line) ?? [];
    const [, name] =
      /^(?:https?:\/\/[^/]+\/|ssh:\/\/[^/]+\/|[\w.-]+@[\w.-]+:)([\w.-]+\/[\w.-]+)$/.exec(address) ?? [];
    if (name !== undefined) return { repository: name.replace(/\.git$/, '') };
  }
  return {};
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}
