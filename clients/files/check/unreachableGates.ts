import type { BarWarning } from '../../../shared/contracts/gates.ts';
import { unreachableGates } from '../../../shared/scoring/verdict/unreachable.ts';
import type { Path } from '../read/parts.ts';
import type { Problems } from '../read/problems.ts';
import type { SuiteDefinition } from '../resolve/definition.ts';
import type { LoadedFiles } from '../resolve/loadFiles.ts';

/**
 * Warns of gates that no output passes, as the files have their suites. A service that has more cases knows better: a plan
 * says what holds there.
 */
export function warnOfUnreachableGates(
  { suites }: LoadedFiles,
  defined: readonly SuiteDefinition[],
  problems: Problems,
  nowMs: number,
): void {
  for (const definition of defined) {
    const { document } = suites.find(({ file }) => file === definition.file) ?? {};
    for (const warning of warningsOf(definition, nowMs)) {
      const place = document?.at(pathOf(definition, warning));
      if (place !== undefined) problems.warn(place, `${warning.gate}: ${warning.message}`);
    }
  }
}

const warningsOf = (
  { suite: { pass_threshold, gates }, cases }: SuiteDefinition,
  nowMs: number,
): BarWarning[] =>
  unreachableGates(
    cases
      .filter(({ is_active }) => is_active)
      .map(({ weight, tags, advisory }) => ({
        weight,
        tags,
        advisory: advisory !== null && nowMs < Date.parse(advisory.expires_at),
      })),
    { passThreshold: pass_threshold, gates },
  );

function pathOf({ suite: { gates } }: SuiteDefinition, { gate }: BarWarning): Path {
  if (gate === 'pass_rate') return ['cases'];
  const tag = (gates.tags ?? []).findIndex((one) => gate === `tag:${one.tag}`);
  return tag < 0 ? ['gates', gate] : ['gates', 'tags', tag];
}
