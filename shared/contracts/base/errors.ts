import * as z from 'zod';

/** Every error code of the error envelope, with its HTTP status. */
export const ERROR_STATUS = {
  VALIDATION_ERROR: 400,
  /** The message has the cause. */
  SIGN_IN_FAILED: 400,
  UNAUTHORIZED: 401,
  USAGE_LIMIT_EXCEEDED: 402,
  PLAN_REQUIRED: 403,
  SCOPE_REQUIRED: 403,
  /** For scope `run`, of a run or a baseline whose suite does not show results. */
  RESULTS_HIDDEN: 403,
  /** Until its end the organisation can only be read, or its deletion taken back. */
  ORGANISATION_BEING_DELETED: 403,
  /** No registration is for this person. */
  NOT_ADMITTED: 403,
  /** Of a session that gave its key, or signed in, too long ago for what is sensitive. */
  REAUTHENTICATION_REQUIRED: 403,
  /** Jobs of another repository or project push the suite or the scorer. */
  OWNED_ELSEWHERE: 403,
  /** Answered by the firewall in front of the service. */
  ADDRESS_BLOCKED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  IDEMPOTENCY_IN_PROGRESS: 409,
  SUITE_CHANGED: 409,
  /** A push would make the bar weaker, and does not say that it may. */
  WEAKER_BAR: 409,
  /** What the request was made for has changed since. */
  VERSION_CONFLICT: 409,
  /** A later job has pushed the suite already. */
  STALE_PUSH: 409,
  /** Of runs that lie below what a person accepted. */
  BASELINE_WOULD_FALL: 409,
  /** `details.why` says why not. */
  RUN_NOT_WAIVABLE: 409,
  /** Only cleared runs have a statement. */
  RUN_NOT_CLEARED: 409,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  PAYMENT_PROVIDER_UNAVAILABLE: 502,
  BILLING_NOT_CONFIGURED: 503,
  STATEMENTS_NOT_CONFIGURED: 503,
  OIDC_ISSUER_UNAVAILABLE: 503,
  /** Of a service on one machine. */
  STORAGE_FULL: 507,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;
export const ERROR_CODES = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

/** What a person does about an error, where its message alone does not say it: every client shows it. */
export const ERROR_HINTS: { readonly [Code in ErrorCode]?: string } = {
  USAGE_LIMIT_EXCEEDED: 'The runs of this month are used up: change the plan, or wait for the next month.',
  OWNED_ELSEWHERE: 'Change it from there, or with an API key.',
  SUITE_CHANGED: 'The suite was changed since: look at it, and run again.',
  VERSION_CONFLICT: 'Another client changed it meanwhile: look at it again.',
  STALE_PUSH: 'An old job has an old bar: run the newest job of the workflow again.',
  IDEMPOTENCY_KEY_REUSED:
    'Another request had this idempotency key: give another one, or send the same request again.',
};

/** One invalid field: `path` as in `cases.0.name`, or `body` for the body as a whole. */
const issueSchema = z.object({ path: z.string(), message: z.string() });
export type Issue = z.infer<typeof issueSchema>;

export const errorEnvelopeSchema = z.object({
  error: z.object({
    code: z.enum(ERROR_CODES),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
});

/** Of what changes or deletes a suite, a case or a scorer: see `shared/domain/suites/access/writes.ts`. */
export const BAR_WRITE_ERRORS = [
  'OWNED_ELSEWHERE',
  'STALE_PUSH',
  'VERSION_CONFLICT',
] as const satisfies readonly ErrorCode[];
