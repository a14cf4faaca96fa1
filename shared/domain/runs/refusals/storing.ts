import { AppError, notFound } from '../../errors.ts';
import { keyInProgress } from '../idempotency.ts';
import type { StoredOutcome, StoredRun } from '../ports.ts';
import { backlogFull } from './backlog.ts';
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

/** The stored run, or the error for the caller when nothing was stored. */
export function storedOrThrow(
  { quotaGuard }: { readonly quotaGuard: QuotaGuard },
  terms: Parameters<QuotaGuard['refusal']>[0],
  answer: StoredOutcome,
): StoredRun {
  switch (answer.outcome) {
    case 'stored':
      return answer.run;
    case 'suite_gone':
      throw notFound('suite');
    case 'key_in_progress':
      throw keyInProgress();
    case 'busy':
      throw tooManyAtOnce();
    case 'backlog_full':
      throw backlogFull(answer);
    case 'quota_exceeded':
      throw quotaGuard.refusal(terms, answer.used);
  }
}
