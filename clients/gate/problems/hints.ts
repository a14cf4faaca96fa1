/** What to do about an error of the service, by its code. */
const HINTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    USAGE_LIMIT_EXCEEDED: 'The runs of this month are used up: change the plan, or wait for the next month.',
    IDEMPOTENCY_KEY_REUSED:
      'Another request had this --idempotency-key: give another one, or the same options.',
    SUITE_CHANGED: 'The suite was changed since: look at it, and run again.',
    VERSION_CONFLICT:
      'It was changed by somebody else meanwhile: look at it again, such as by `evalgate diff`.',
    STALE_PUSH: 'An old job has an old bar: run the newest job of the workflow again.',
    OWNED_ELSEWHERE: 'Change it from that repository, or with an API key.',
    NO_OIDC_TOKEN: 'Jobs of forks get no token: gate those by `pull_request` without secrets, or not at all.',
  }),
);

export const hintOfCode = (code: string): string | undefined => HINTS.get(code);
