/** Beginnings of what another baseline makes untrue. */
export const baselinesKey = (suite: string): string => `suites/${suite}/baseline`;
export const changesKey = (suite: string): string => `suites/${suite}/changes`;
export const touchedByBaseline = (suite: string): readonly string[] => [
  baselinesKey(suite),
  changesKey(suite),
];
