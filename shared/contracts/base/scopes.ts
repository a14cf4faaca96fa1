/** The rights of a credential, as docs/credentials.md has them. Each may do what those before it may. */
export const SCOPES = ['run', 'suites', 'full'] as const;
export type Scope = (typeof SCOPES)[number];

export const JOB_SCOPES = ['run', 'suites'] as const satisfies readonly Scope[];
export type JobScope = (typeof JOB_SCOPES)[number];

export const covers = (scope: Scope, needed: Scope): boolean =>
  SCOPES.indexOf(scope) >= SCOPES.indexOf(needed);
