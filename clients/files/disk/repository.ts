import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { ignoredByGit } from './ignored.ts';
import { type Limits, type ReadText, readText, whyUnreadable } from './readText.ts';

export const CONFIG_FILE = 'evalgate.yaml';

/** The folder at or above this one that has an evalgate.yaml, no further up than the repository goes. */
export function findRoot(from: string): string | undefined {
  for (let folder = path.resolve(from); ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, CONFIG_FILE))) return realpathSync(folder);
    if (existsSync(path.join(folder, '.git')) || folder === path.dirname(folder)) return undefined;
  }
}

/** The folder of the repository that another one is in; that one itself where it is in none. */
export const findWorkTree = (from: string): string => workTreeOf(from) ?? from;

function workTreeOf(from: string): string | undefined {
  for (let folder = from; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, '.git'))) return folder;
    if (folder === path.dirname(folder)) return undefined;
  }
}

/** Starting git takes longer than looking for a repository. A variable may name one elsewhere. */
const mayHaveGit = (root: string): boolean =>
  process.env.GIT_DIR !== undefined || workTreeOf(root) !== undefined;

/** With the symbolic links of its folder followed. Reading a file that is not there reports the error. */
export function realOf(absolute: string): string {
  try {
    return path.join(realpathSync(path.dirname(absolute)), path.basename(absolute));
  } catch {
    return absolute;
  }
}

/** The files below one folder, and nothing else. */
export class Repository {
  /** Without symbolic links. */
  readonly root: string;
  #isIgnored: ((name: string) => boolean) | undefined;

  constructor(root: string) {
    this.root = realpathSync(root);
  }

  /** From the root, with `/` on every system. */
  nameOf(absolute: string): string {
    return path.relative(this.root, absolute).split(path.sep).join('/');
  }

  absolute(name: string): string {
    return path.join(this.root, ...name.split('/'));
  }

  /** With its symbolic links followed, for files that are there. */
  realOf(name: string): string {
    try {
      return realpathSync(this.absolute(name));
    } catch {
      return this.absolute(name);
    }
  }

  /** A file that the caller has named: it may be any regular file below the root. */
  read(name: string, limits: Limits): ReadText {
    return this.#readInside(this.absolute(name), limits);
  }

  /** A file that another file names by `file://`. `open`: folders that are read though their names begin with a dot. */
  readNamed(
    from: string,
    reference: string,
    limits: Limits,
    open: readonly string[] = [],
  ): ReadText & { readonly name: string } {
    const name = path.posix.normalize(path.posix.join(path.posix.dirname(from), reference));
    const whyNot = (inside: string) => whyHidden(inside, open);
    const why = whyRefused(reference, name) ?? whyNot(name) ?? this.#whyLeftOut(name);
    if (why !== undefined) return { name, why };
    return { name, ...this.#readInside(this.absolute(name), limits, whyNot) };
  }

  #readInside(
    absolute: string,
    limits: Limits,
    whyNot: (name: string) => string | undefined = () => undefined,
  ) {
    try {
      const real = realpathSync(absolute);
      const name = this.nameOf(real);
      const why = isOutside(name)
        ? `leads to a place outside of ${CONFIG_FILE}'s folder: copy it there`
        : whyNot(name);
      return why === undefined ? withoutNul(readText(real, limits)) : { why };
    } catch (error) {
      return { why: whyUnreadable(error) };
    }
  }

  #whyLeftOut(name: string): string | undefined {
    this.#isIgnored ??= mayHaveGit(this.root) ? ignoredByGit(this.root) : () => false;
    return this.#isIgnored(name)
      ? 'is ignored by git, so that others do not have it: take it out of .gitignore'
      : undefined;
  }
}

/** NUL characters are a sign of another encoding, such as UTF-16, whose bytes may also be valid UTF-8. */
const withoutNul = (read: ReadText): ReadText =>
  'text' in read && read.text.includes('\0') ? { why: 'holds NUL characters: save it as UTF-8' } : read;

/** Of a name from the root. */
export const isOutside = (name: string): boolean =>
  name === '..' || name.startsWith('../') || path.isAbsolute(name) || path.win32.isAbsolute(name);

function whyRefused(reference: string, name: string): string | undefined {
  if (reference === '') return 'names no file: write file:// and a path';
  if (reference.includes('\0') || reference.includes('\\')) return 'is no path: write it with "/"';
  if (path.posix.isAbsolute(reference) || path.win32.isAbsolute(reference)) {
    return 'is an absolute path: write it from the folder of the file that names it';
  }
  return isOutside(name) ? `leads out of ${CONFIG_FILE}'s folder: copy the file there` : undefined;
}

/** Dot-files hold secrets, and folders of such names repositories. */
function whyHidden(name: string, open: readonly string[]): string | undefined {
  const hidden = name.split('/').filter((part) => part.startsWith('.') && part !== '.');
  const isOpen = hidden.every((part) => open.includes(part)) && !open.includes(path.posix.basename(name));
  return isOpen ? undefined : 'is a dot-file, or in a folder of such a name: move it';
}
