import { lstatSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Repository } from '../../../suites/files/repository.ts';
import { Problem, systemReason } from '../../problem.ts';

export interface NewFile {
  readonly file: string;
  readonly text: string;
}

/** Writes all of them, or none where one of them is there or would be outside of the repository. */
export function writeNew(files: readonly NewFile[], repository: Repository): readonly NewFile[] {
  for (const { file } of files) {
    if (isThere(file)) {
      throw new Problem(
        `${file} is there already, and nothing was written.`,
        'Move it, or name another folder by --out.',
      );
    }
    const name = repository.nameOf(realFolderOf(file));
    if (name === '..' || name.startsWith('../') || path.isAbsolute(name)) {
      throw new Problem(
        `${file} would be outside of ${repository.root}, and nothing was written.`,
        'Suites lie in the folder of evalgate.yaml: name one by --out.',
      );
    }
  }
  for (const { file, text } of files) {
    try {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text, { flag: 'wx' });
    } catch (error) {
      throw new Problem(
        `${file} can't be written: ${systemReason(error)}.`,
        'Change that, then run this again.',
      );
    }
  }
  return files;
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
