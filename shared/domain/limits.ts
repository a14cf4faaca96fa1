/** How many of each one parent may have. */
export const LIMIT = {
  projects: 1_000,
  suites: 1_000,
  scorers: 1_000,
  cases: 10_000,
  byokKeys: 100,
} as const;
