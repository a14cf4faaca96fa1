import type { Notice } from '../../../contracts/runDetails.ts';

/** The submission does not fit the suite as it is now: the run ends without a verdict, and is not counted. */
export class Unfit extends Error {
  readonly notice: Notice;

  constructor(code: Notice['code'], message: string) {
    super(message);
    this.notice = { code, message };
  }
}

export function unfit(error: unknown): Unfit {
  if (error instanceof Unfit) return error;
  throw error;
}
