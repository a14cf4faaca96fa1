import { type Dirent, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** More than a repository has that is not a mistake. */
const ENTRIES_MAX = 200_000;
const DEPTH_MAX = 40;
const LEFT_OUT = new Set(['node_modules']);

export type Found = { readonly names: readonly string[] } | { readonly why: string };

/**
 * The files below a folder that a pattern names, sorted: `*` and `?` stand for characters of a name, `**` for folders.
 * Follows no symbolic link of a folder, and leaves dot-files out. Of a link of a file, who reads it says whether it may be.
 */
export function filesOf(root: string, pattern: string): Found {
  const parts = pattern.split('/').filter((part) => part !== '' && part !== '.');
  if (pattern.startsWith('/') || pattern.includes('\\') || parts.includes('..')) {
    return { why: 'must be a path below the folder of evalgate.yaml, with "/"' };
  }
  const wild = parts.slice(0, -1).findIndex(hasWildcard);
  const names: string[] = [];
  let left = ENTRIES_MAX;
  for (const file of filesBelow(root, parts.slice(0, wild === -1 ? -1 : wild))) {
    if (left-- === 0) return { why: `looks through more than ${ENTRIES_MAX} files: begin it with a folder` };
    if (matches(file, parts)) names.push(file.join('/'));
  }
  return { names: names.sort() };
}

function* filesBelow(root: string, from: readonly string[]): Generator<readonly string[]> {
  const folders = [from];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesOf(path.join(root, ...folder), folder.length)) {
      const below = [...folder, entry.name];
      if (entry.isDirectory()) folders.push(below);
      else if (entry.isFile() || isLinkOfFile(entry, path.join(root, ...below))) yield below;
    }
  }
}

/** Also true for a broken link: reading it reports the error. */
function isLinkOfFile(entry: Dirent, file: string): boolean {
  if (!entry.isSymbolicLink()) return false;
  try {
    return !statSync(file).isDirectory();
  } catch {
    return true;
  }
}

const hasWildcard = (part: string): boolean => part.includes('*') || part.includes('?');

function entriesOf(folder: string, depth: number): Dirent[] {
  if (depth > DEPTH_MAX) return [];
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter(({ name }) => !name.startsWith('.') && !LEFT_OUT.has(name));
  } catch {
    return [];
  }
}

const matches = (names: readonly string[], parts: readonly string[]): boolean =>
  fits(names, parts, { isAny: (part) => part === '**', fitsOne: matchesName });

const matchesName = (name: string, part: string): boolean =>
  fits([...name], [...part], {
    isAny: (character) => character === '*',
    fitsOne: (character, part) => part === '?' || character === part,
  });

interface Wildcards {
  readonly isAny: (part: string) => boolean;
  readonly fitsOne: (character: string, part: string) => boolean;
}

/** Goes back to the last wildcard only, which is enough: no more steps than the product of both lengths. */
function fits(all: readonly string[], pattern: readonly string[], { isAny, fitsOne }: Wildcards): boolean {
  let [place, to] = [0, 0];
  let back: { place: number; to: number } | undefined;
  while (place < all.length) {
    const name = all[place] ?? '';
    const part = pattern[to];
    if (part !== undefined && isAny(part)) {
      back = { place, to: ++to };
    } else if (part !== undefined && fitsOne(name, part)) {
      place++;
      to++;
    } else if (back !== undefined) {
      back = { place: back.place + 1, to: back.to };
      [place, to] = [back.place, back.to];
    } else return false;
  }
  return pattern.slice(to).every(isAny);
}
