import { GATE_WORDS } from '../../../sdk/generated/gateWords.ts';

/** Whether one of a suite's gates compares its runs with a baseline. */
export const comparesWithBaseline = (gates: object): boolean =>
  Object.entries(gates).some(([gate, value]) => value !== undefined && GATE_WORDS[gate]?.isRelative);

/** Beginnings of what another baseline makes untrue. */
export const baselinesKey = (suite: string): string => `suites/${suite}/baseline`;
export const changesKey = (suite: string): string => `suites/${suite}/changes`;
export const touchedByBaseline = (suite: string): readonly string[] => [
  baselinesKey(suite),
  changesKey(suite),
];
