import { AppError } from '../../errors.ts';

const RETRY_AFTER_SECONDS = 2;

/** For a run that others kept from being stored for as long as its caller should wait. */
export function tooManyAtOnce(): AppError {
  return new AppError(
    'RATE_LIMITED',
    'Too many runs of this organisation are stored at this moment. This one was not stored and counts nothing: ' +
      `send it again in ${RETRY_AFTER_SECONDS} seconds, as the header Retry-After states.`,
    { retry_after_seconds: RETRY_AFTER_SECONDS },
  );
}
