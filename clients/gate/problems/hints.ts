import { ERROR_HINTS } from '../../sdk/generated/errorHints.ts';

/** Of a command, whose options they name. */
const HINTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...ERROR_HINTS,
    IDEMPOTENCY_KEY_REUSED:
      'Another request had this --idempotency-key: give another one, or the same options.',
    VERSION_CONFLICT: `${ERROR_HINTS.VERSION_CONFLICT} \`evalgate diff\` shows what changed.`,
    NO_OIDC_TOKEN: 'Jobs of forks get no token: gate those by `pull_request` without secrets, or not at all.',
  }),
);

/** What to do about an error, by its code. */
export const hintOfCode = (code: string): string | undefined => HINTS.get(code);
