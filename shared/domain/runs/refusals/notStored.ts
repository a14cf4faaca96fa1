import { AppError, notFound } from '../../errors.ts';
import type { StoredOutcome } from '../ports.ts';
import { backlogFull } from './backlog.ts';
import { keyInProgress } from './idempotencyKey.ts';
import type { QuotaGuard } from './quota.ts';

const RETRY_AFTER_SECONDS = 2;

/** For a run that others kept from being stored for as long as its caller should wait. */
function tooManyAtOnce(): AppError {
  return new AppError(
    'RATE_LIMITED',
    'Too many runs of this organisation are being stored at this moment. This one was not stored and is not counted: ' +
      `send it again in ${RETRY_AFTER_SECONDS} seconds, as the header Retry-After states.`,
    { retry_after_seconds: RETRY_AFTER_SECONDS },
  );
}

/** The error for the caller when nothing was stored. */
export function notStored(
  { quotaGuard }: { readonly quotaGuard: QuotaGuard },
  terms: Parameters<QuotaGuard['refusal']>[0],
  answer: Exclude<StoredOutcome, { outcome: 'stored' }>,
): AppError | Promise<AppError> {
  switch (answer.outcome) {
    case 'suite_gone':
      return notFound('suite');
    case 'key_in_progress':
      return keyInProgress();
    case 'busy':
      return tooManyAtOnce();
    case 'backlog_full':
      return backlogFull(answer);
    case 'quota_exceeded':
      return quotaGuard.refusal(terms, answer.used);
  }
}
