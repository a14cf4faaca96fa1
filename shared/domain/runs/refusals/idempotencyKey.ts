import { AppError } from '../../errors.ts';

const RETRY_AFTER_SECONDS = 2;

export function keyRefusal(kind: 'other_body' | 'in_progress'): AppError {
  if (kind === 'in_progress') return keyInProgress();
  return new AppError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used with another body in the last 24 hours: send a new key with a new request.',
  );
}

export function keyInProgress(): AppError {
  return new AppError(
    'IDEMPOTENCY_IN_PROGRESS',
    'The first request with this Idempotency-Key is still running: repeat it in a few seconds.',
    { retry_after_seconds: RETRY_AFTER_SECONDS },
  );
}
