import { AppError } from '../../errors.ts';
import { OPEN_JUDGED_CASES_MAX } from '../../limits.ts';

const [RETRY_AFTER_SECONDS_MIN, RETRY_AFTER_SECONDS_MAX] = [30, 3_600];
const SECONDS_A_CASE = 3_600 / OPEN_JUDGED_CASES_MAX;

const figure = (cases: number): string => cases.toLocaleString('en-US');

/** The 429 for a run whose judged cases are too many beside those that are open. */
export function backlogFull({ open, judgedCases }: { open: number; judgedCases: number }): AppError {
  const tooMany = open + judgedCases - OPEN_JUDGED_CASES_MAX;
  const neededSeconds = Math.max(RETRY_AFTER_SECONDS_MIN, Math.ceil(tooMany * SECONDS_A_CASE));
  const seconds = Math.min(RETRY_AFTER_SECONDS_MAX, neededSeconds);
  return new AppError(
    'RATE_LIMITED',
    `The pending runs of this organisation have ${figure(open)} cases for judges, this run has ${figure(judgedCases)}, ` +
      `and at most ${figure(OPEN_JUDGED_CASES_MAX)} may be pending. It was not stored and is not counted: send it ` +
      `again when others have ended, in ${seconds} seconds at the earliest, as the header Retry-After states.`,
    { retry_after_seconds: seconds },
  );
}
