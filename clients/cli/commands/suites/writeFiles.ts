import { lstatSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isOutside, type Repository } from '../../../files/disk/repository.ts';
import { Problem, systemReason } from '../../problem.ts';

interface Prepared {
  readonly name: string;
  readonly file: string;
  readonly next: string;
}

/** Writes all files, by their names in the repository, or none of them. */
export function writeFiles(repository: Repository, texts: ReadonlyMap<string, string>): void {
  const prepared: Prepared[] = [];
  try {
    for (const [name, text] of texts) prepared.push(prepare(repository, name, text));
    for (const { name, file, next } of prepared) namingFile(name, () => renameSync(next, file));
  } finally {
    for (const { next } of prepared) rmSync(next, { force: true });
  }
}

/** Beside the file, so that putting it in its place is one step. */
function prepare(repository: Repository, name: string, text: string): Prepared {
  const file = repository.realOf(name);
  if (isOutside(name) || isOutside(repository.nameOf(folderThatIs(repository, path.dirname(file))))) {
    throw new Problem(
      `${name} would be outside of ${repository.root}, and nothing was written.`,
      'Suites lie in the folder of evalgate.yaml: name one by --dir.',
    );
  }
  const next = `${file}.${process.pid}.new`;
  namingFile(name, () => {
    mkdirSync(path.dirname(file), { recursive: true });
    const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0o666;
    writeFileSync(next, text, { flag: 'wx', mode: mode & 0o777 });
  });
  return { name, file, next };
}

/** The nearest folder above that is there, symbolic links followed. */
function folderThatIs(repository: Repository, folder: string): string {
  const isThere = lstatSync(folder, { throwIfNoEntry: false }) !== undefined;
  if (isThere || folder === path.dirname(folder)) return repository.realOf(repository.nameOf(folder));
  return folderThatIs(repository, path.dirname(folder));
}

function namingFile(name: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    throw new Problem(`${name} can't be written: ${systemReason(error)}.`, 'Change that, then pull again.');
  }
}
