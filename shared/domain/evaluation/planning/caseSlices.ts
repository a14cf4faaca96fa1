import type { ChunksPlace } from '../../suites/packs/packedSuites.ts';
import type { PlannedCase, ReadCase } from '../../suites/packs/plannedCase.ts';
import { bytesOf } from '../../suites/packs/writeChunks.ts';
import type { Evaluation } from '../evaluation.ts';
import type { PlanningStore } from '../ports.ts';

/** Read at once. A function of 256 MB holds these bytes four times: as sent, as attributes, as text, as cases. */
const SLICE_BYTES = 5_000_000;
const SLICE_CASES_MAX = 100;
/** Before the size of the cases is known: 10 MB if they are of the largest size. */
const FIRST_SLICE_CASES = 20;

export const chunksPlace = ({ orgId, run }: Evaluation, planner: string): ChunksPlace => ({
  orgId,
  suiteId: run.suite_id,
  planner,
  startedAtMs: Date.parse(run.created_at),
});

/** The active cases among these, in order, as many at once as fit into memory. */
export async function* slicesOf(
  planning: Pick<PlanningStore, 'cases' | 'casesIfSmall'>,
  { orgId, run }: Evaluation,
  caseIds: readonly string[],
): AsyncGenerator<readonly ReadCase[]> {
  const all = await planning.casesIfSmall(orgId, run, caseIds);
  if (all !== undefined) return yield* all;
  let sliceCases = FIRST_SLICE_CASES;
  for (let start = 0, end = 0; start < caseIds.length; start = end) {
    end = start + sliceCases;
    const cases = await planning.cases(orgId, run, caseIds.slice(start, end));
    yield cases;
    sliceCases = sliceLike(cases);
  }
}

function sliceLike(cases: readonly PlannedCase[]): number {
  if (cases.length === 0) return SLICE_CASES_MAX;
  const bytes = cases.reduce((sum, { scorer: _, ...own }) => sum + bytesOf(own), 0);
  return Math.max(1, Math.min(SLICE_CASES_MAX, Math.floor((cases.length * SLICE_BYTES) / bytes)));
}
