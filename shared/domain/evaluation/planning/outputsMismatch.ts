import type { Notice } from '../../../contracts/runDetails.ts';

/** The submission does not fit the suite as it is now: the run ends without a verdict, and is not counted. */
export class OutputsMismatch extends Error {
  readonly notice: Notice;

  constructor(code: Notice['code'], message: string) {
    super(message);
    this.notice = { code, message };
  }
}

export function mismatchOf(error: unknown): OutputsMismatch {
  if (error instanceof OutputsMismatch) return error;
  throw error;
}
