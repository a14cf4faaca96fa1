/** The rights of a credential: `run` may create runs, read runs, their results and suites by id; `full` may do everything. */
export const SCOPES = ['full', 'run'] as const;
export type Scope = (typeof SCOPES)[number];
