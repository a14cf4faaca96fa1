import { AppError } from '../errors.ts';
import type { Position } from './ports.ts';

export const isAt = (one: Position, other: Position): boolean =>
  one.n === other.n && one.token === other.token;

const RETRY_AFTER_SECONDS = 1;

export const editedTooOften = () =>
  new AppError(
    'RATE_LIMITED',
    'Others change the same suite or project again and again at this moment: nothing of this request was applied. ' +
      `Send it again in ${RETRY_AFTER_SECONDS} second, as the header Retry-After states.`,
    { retry_after_seconds: RETRY_AFTER_SECONDS },
  );
