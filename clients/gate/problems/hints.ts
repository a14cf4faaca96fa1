import { ERROR_HINTS } from '../../sdk/generated/errorHints.ts';

/** Of clients that run where commands do. */
const OWN: Readonly<Record<string, string>> = {
  VERSION_CONFLICT: `${ERROR_HINTS.VERSION_CONFLICT} \`evalgate diff\` shows what changed.`,
  NO_OIDC_TOKEN: 'Jobs of forks get no token: gate those by `pull_request` without secrets, or not at all.',
};

const HINTS: ReadonlyMap<string, string> = new Map(Object.entries({ ...ERROR_HINTS, ...OWN }));

/** What to do about an error, by its code. */
export const hintOfCode = (code: string): string | undefined => HINTS.get(code);
