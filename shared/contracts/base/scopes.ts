/** The rights of a credential, as docs/credentials.md has them. */
export const SCOPES = ['run', 'read', 'suites', 'full'] as const;
export type Scope = (typeof SCOPES)[number];

export const JOB_SCOPES = ['run', 'suites'] as const satisfies readonly Scope[];
export type JobScope = (typeof JOB_SCOPES)[number];

/**
 * What a request needs: to make runs, to read `result`s (runs, suites one by one and what judged them), to `read` what
 * else a project has, to write `suites`, or the `full` rights.
 */
export type Need = Scope | 'result';

const GRANTS: Readonly<Record<Scope, readonly Need[]>> = {
  run: ['run', 'result'],
  read: ['result', 'read'],
  suites: ['run', 'result', 'read', 'suites'],
  full: ['run', 'result', 'read', 'suites', 'full'],
};

export const covers = (scope: Scope, needed: Need): boolean => GRANTS[scope].includes(needed);

/** The scopes that suffice. */
export const scopesFor = (needed: Need): readonly Scope[] => SCOPES.filter((scope) => covers(scope, needed));
