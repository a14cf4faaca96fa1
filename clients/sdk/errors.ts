/** What is known of a failed call. */
interface Known {
  /** None where no answer came. */
  readonly status?: number | undefined;
  /** The service's own; `HTTP_<status>` for an answer that did not come from it, `GITHUB_<status>` for one of GitHub. */
  readonly code: string;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** Finds the request in the service's log. */
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** A call that failed. */
export class EvalgateError extends Error implements Known {
  override readonly name: string = 'EvalgateError';
  declare readonly status?: number | undefined;
  declare readonly code: string;
  declare readonly details?: Readonly<Record<string, unknown>> | undefined;
  declare readonly requestId?: string | undefined;
  declare readonly retryAfterSeconds?: number | undefined;
  /** That of the call: another call with it and the same body gets the same run. */
  idempotencyKey?: string | undefined;
  /** Whether this try or one before it may have been carried out. */
  isUnsure?: boolean;

  constructor(message: string, known: Known, cause?: unknown) {
    super(message, cause ? { cause } : undefined);
    Object.assign(this, known);
  }
}

const family = (title: string) =>
  class extends EvalgateError {
    override readonly name = title;
  };

/** 401 and 403: the credential is not valid, or may not do this. */
export const CredentialError = family('CredentialError');
/** 402: the runs of the month are used. */
export const UsageLimitError = family('UsageLimitError');
/** 404, also for what the credential may not see. */
export const NotFoundError = family('NotFoundError');
/** 409 and 422: the request does not go with an earlier one, or with what is stored. */
export const ConflictError = family('ConflictError');
/** 429. */
export const RateLimitError = family('RateLimitError');
/** Any other answer that is neither a success nor a 5xx: the request has to be another one. */
export const RequestError = family('RequestError');
/** 5xx. */
export const ServiceError = family('ServiceError');
/** The request or its answer got lost. */
export const ConnectionError = family('ConnectionError');
/** No answer came in time. */
export const TimeoutError = family('TimeoutError');

const FAMILIES: Readonly<Record<number, typeof EvalgateError>> = {
  401: CredentialError,
  402: UsageLimitError,
  403: CredentialError,
  404: NotFoundError,
  409: ConflictError,
  422: ConflictError,
  429: RateLimitError,
};

/** The error of its family. */
export function errorOf(message: string, known: Known & { readonly status: number }): EvalgateError {
  const { status } = known;
  return new (FAMILIES[status] ?? (status >= 500 ? ServiceError : RequestError))(message, known);
}
