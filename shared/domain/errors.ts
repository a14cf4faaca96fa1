import { ERROR_STATUS, type ErrorCode, type Issue } from '../contracts/base/errors.ts';

/** An error for the caller to read. Everything else becomes a fixed 500 sentence. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, details?: Record<string, unknown>) {
    super(message);
    this.name = 'AppError';
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

const ISSUES_LISTED_MAX = 50;

export function invalid(issues: readonly Issue[]): AppError {
  const fields = [...new Set(issues.map((issue) => issue.path))].slice(0, 5).join(', ');
  return new AppError('VALIDATION_ERROR', `The request is not valid: see ${fields}.`, {
    issues: issues.slice(0, ISSUES_LISTED_MAX),
  });
}

export function invalidField(path: string, message: string): AppError {
  return invalid([{ path, message }]);
}

/** The same answer whether it never existed, was deleted, or belongs to another organisation. */
export function notFound(what: string): AppError {
  return new AppError('NOT_FOUND', `No such ${what}.`);
}

export function unauthorized(): AppError {
  return new AppError(
    'UNAUTHORIZED',
    'The credential is missing or not valid: send the header "Authorization: Bearer <API key>".',
  );
}
