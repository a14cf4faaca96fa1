import type { BarWarning } from '../../../contracts/gates.ts';
import type { Suite } from '../../../contracts/suites.ts';
import { isJudged } from '../../../scoring/engine/judged.ts';
import { unreachableGates } from '../../../scoring/verdict/unreachable.ts';
import type { CurrentProject, CurrentSuite, EditedSuite } from '../chains/chains.ts';
import type { CaseRow } from '../chains/members.ts';
import { isAdvisory } from './rules.ts';

type CountedRow = Pick<CaseRow, 'weight' | 'tags' | 'is_active' | 'advisory' | 'scorer_id'>;
/** The ids of a project's scorers that models judge by, and perhaps of others that no case uses. */
type Judges = ReadonlySet<string>;

/** Gates that no output passes. Of all cases, inactive ones included. */
export const gateWarnings = (
  cases: readonly CountedRow[],
  { pass_threshold, gates }: Pick<Suite, 'pass_threshold' | 'gates'>,
  judges: Judges,
  nowMs: number,
): BarWarning[] =>
  unreachableGates(
    cases
      .filter(({ is_active }) => is_active)
      .map(({ weight, tags, advisory, scorer_id }) => ({
        weight,
        tags,
        isJudged: judges.has(scorer_id),
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
 * cases is still being made. Rows are read only where gates need more than the sums, and scorers only for the gate on judges.
 */
export async function warnedOf(
  present: CurrentSuite,
  readScorers: () => Promise<CurrentProject>,
  nowMs: number,
  edited?: Pick<EditedSuite, 'fields' | 'changes'>,
): Promise<Warned> {
  const { fields, changes } = edited ?? { fields: present.revision.fields, changes: NO_CHANGES };
  const { suite, sums } = fields;
  const isPlain = Object.keys(suite.gates).length === 0 && sums.gating > 0;
  if (sums.cases === 0 || isPlain) return {};
  const unchanged = (await present.members()).filter(({ number }) => !changes.has(number));
  const changed = [...changes.values()].flatMap((change) => (change === null ? [] : [change.row]));
  const judges = suite.gates.judges ? await judgesIn(await readScorers()) : NO_JUDGES;
  const warnings = gateWarnings([...unchanged.map(({ row }) => row), ...changed], suite, judges, nowMs);
  return warnings.length === 0 ? {} : { warnings };
}

const NO_JUDGES: Judges = new Set();

async function judgesIn(scorers: CurrentProject): Promise<Judges> {
  const judged = (await scorers.members()).filter(({ row }) => isJudged(row));
  return new Set(judged.map(({ row }) => row.id));
}

const NO_CHANGES: EditedSuite['changes'] = new Map();
