import type { BarWarning } from '../../../contracts/gates.ts';
import type { Suite } from '../../../contracts/suites.ts';
import { unreachableGates } from '../../../scoring/verdict/unreachable.ts';
import type { CurrentSuite, EditedSuite } from '../chains/chains.ts';
import type { CaseRow } from '../chains/members.ts';
import { isAdvisory } from './rules.ts';

type CountedRow = Pick<CaseRow, 'weight' | 'tags' | 'is_active' | 'advisory'>;

/** Gates that no output passes. Of all cases, inactive ones included. */
export const gateWarnings = (
  cases: readonly CountedRow[],
  { pass_threshold, gates }: Pick<Suite, 'pass_threshold' | 'gates'>,
  nowMs: number,
): BarWarning[] =>
  unreachableGates(
    cases
      .filter(({ is_active }) => is_active)
      .map(({ weight, tags, advisory }) => ({
        weight,
        tags,
        advisory: isAdvisory({ advisory_until: advisory?.expires_at ?? null }, nowMs),
      })),
    { passThreshold: pass_threshold, gates },
  );

/** What a write is answered beside the resource. Left out where every gate may pass. */
export interface Warned {
  readonly warnings?: BarWarning[];
}

/**
 * Of the suite as an edit leaves it, read before the edit is in force: a read that fails refuses the write. A suite without
 * cases is still being made. Rows are read only where gates need more than the sums.
 */
export async function warnedOf(
  present: CurrentSuite,
  nowMs: number,
  edited?: Pick<EditedSuite, 'fields' | 'changes'>,
): Promise<Warned> {
  const { fields, changes } = edited ?? { fields: present.revision.fields, changes: NO_CHANGES };
  const { suite, sums } = fields;
  const isPlain = Object.keys(suite.gates).length === 0 && sums.gating > 0;
  if (sums.cases === 0 || isPlain) return {};
  const others = (await present.members()).filter(({ number }) => !changes.has(number));
  const changed = [...changes.values()].flatMap((wanted) => (wanted === null ? [] : [wanted.row]));
  const warnings = gateWarnings([...others.map(({ row }) => row), ...changed], suite, nowMs);
  return warnings.length === 0 ? {} : { warnings };
}

const NO_CHANGES: EditedSuite['changes'] = new Map();
