import { lstatSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isOutside, type Repository } from '../../../files/disk/repository.ts';
import { Problem, systemReason } from '../../problem.ts';

export interface NewFile {
  readonly file: string;
  readonly text: string;
  /** Whether one that is there already stays as it is, which another command may have written meanwhile. */
  readonly mayBeThere?: boolean;
}

export class FileIsThere extends Problem {
  readonly file: string;

  constructor(file: string) {
    super(`${file} is there already, and nothing was written.`, 'Move it, or name another folder by --out.');
    this.file = file;
  }
}

/** Writes all of them, or none where one of them is there or would be outside of the repository. Answers which it wrote. */
export function writeNew(files: readonly NewFile[], repository: Repository): readonly string[] {
  for (const file of files) checkPlace(file, repository);
  const written: string[] = [];
  try {
    for (const file of files) if (writeOne(file)) written.push(file.file);
  } catch (error) {
    for (const file of written) rmSync(file, { force: true });
    throw error;
  }
  return written;
}

function checkPlace({ file, mayBeThere = false }: NewFile, repository: Repository): void {
  if (!mayBeThere && isThere(file)) throw new FileIsThere(file);
  if (!isOutside(repository.nameOf(realFolderOf(file)))) return;
  throw new Problem(
    `${file} would be outside of ${repository.root}, and nothing was written.`,
    'Suites lie in the folder of evalgate.yaml: name one by --out.',
  );
}

/** Whether it was written. Two commands at once never write one file: it is made by one of them. */
function writeOne({ file, text, mayBeThere = false }: NewFile): boolean {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (!isThere(file) || (error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new Problem(
        `${file} can't be written: ${systemReason(error)}.`,
        'Change that, then run this again.',
      );
    }
    if (mayBeThere) return false;
    throw new FileIsThere(file);
  }
}

const isThere = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false }) !== undefined;

/** Of the nearest folder above it that is there, symbolic links followed. */
function realFolderOf(file: string): string {
  const folder = path.dirname(file);
  if (folder === file) return folder;
  return isThere(folder) ? realFolder(folder) : realFolderOf(folder);
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    throw new Problem(`${folder} can't be used: ${systemReason(error)}.`, 'Name another folder by --out.');
  }
}
