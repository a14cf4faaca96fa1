import { Problems } from '../files/read/problems.ts';
import { EXIT } from '../gate/problems/exitCodes.ts';
import { counted } from '../gate/report/numbers.ts';

/** What the caller reads in place of a stack trace: what is wrong, and what to do. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly hint: string | undefined;
  readonly exitCode: number;

  constructor(message: string, hint?: string, exitCode: number = EXIT.callerMustChange) {
    super(message);
    this.hint = hint;
    this.exitCode = exitCode;
  }
}

/** Files that are wrong: each mistake is printed with its place before the sentence. */
export class FileProblem extends Problem {
  /** Those that are not printed yet. */
  readonly problems: Problems;

  constructor(problems: Problems, unprinted = problems) {
    super(`${counted(problems.errorCount, 'error')} in the files.`, 'Correct them, then try again.');
    this.problems = unprinted;
  }

  /** Of mistakes that the command has printed already. */
  static printed(problems: Problems): FileProblem {
    return new FileProblem(problems, new Problems());
  }
}

/** ENOENT and its like, as a sentence goes on. */
export function systemReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const known: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file',
    EACCES: 'you may not access it',
    EPERM: 'you may not access it',
    EEXIST: 'something else is in its place',
    EISDIR: 'it is a folder',
    ENOTDIR: 'a part of its path is no folder',
    ENOSPC: 'the disk is full',
    EROFS: 'the file system is read-only',
  };
  return known[code ?? ''] ?? code ?? message;
}
