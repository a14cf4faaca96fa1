/** The rights of a credential: `run` may create runs and read runs and their results; `full` may do everything. */
export const SCOPES = ['full', 'run'] as const;
export type Scope = (typeof SCOPES)[number];
