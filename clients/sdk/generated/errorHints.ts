// Written by `npm run clients` from shared/contracts/base/errors.ts.

/** What a person does about an error, by its code. */
export const ERROR_HINTS: Readonly<Record<string, string>> = {
  "USAGE_LIMIT_EXCEEDED": "The runs of this month are used up: change the plan, or wait for the next month.",
  "OWNED_ELSEWHERE": "Change it from there, or with an API key.",
  "SUITE_CHANGED": "The suite was changed since: look at it, and run again.",
  "VERSION_CONFLICT": "Another client changed it meanwhile: look at it again.",
  "STALE_PUSH": "An old job has an old bar: run the newest job of the workflow again.",
  "IDEMPOTENCY_KEY_REUSED": "Another request had this idempotency key: give another one, or send the same request again."
};
