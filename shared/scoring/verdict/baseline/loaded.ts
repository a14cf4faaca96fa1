import type { GatedCase, GateSettings } from '../gatedCase.ts';
import type { Against } from './baseline.ts';
import type { Compared } from './compared.ts';

/** Few suites have a baseline: the code that compares is read with the first. */
let engine: typeof import('./compared.ts') | undefined;

/** After this, runs can be compared without waiting for anything. */
export async function loadComparison(): Promise<void> {
  engine ??= await import('./compared.ts');
}

export function comparedWith(
  cases: readonly GatedCase[],
  settings: GateSettings,
  against: Against,
): Compared {
  if (engine === undefined) throw new Error('Runs cannot be compared yet: await loadComparison first');
  return new engine.Compared(cases, settings, against);
}
