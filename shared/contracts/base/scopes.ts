/**
 * The rights of a credential. `run` may create runs, read runs, their results and suites by id; `suites` may read and
 * write suites, cases and scorers, too; `full` may do everything. Each may do what those before it may.
 */
export const SCOPES = ['run', 'suites', 'full'] as const;
export type Scope = (typeof SCOPES)[number];

export const covers = (scope: Scope, needed: Scope): boolean =>
  SCOPES.indexOf(scope) >= SCOPES.indexOf(needed);
