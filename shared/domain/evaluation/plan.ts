import type { Ambient } from '../ports.ts';
import { abandonRun } from './abandon.ts';
import type {
  Evaluation,
  EvaluationQueue,
  EvaluationStore,
  Plan,
  PlannedCase,
  PlanningStore,
} from './ports.ts';

/** A chunk ends at whichever comes first; judged cases take seconds each, the others microseconds. */
const CHUNK_CASES_MAX = 500;
const CHUNK_JUDGED_CASES_MAX = 20;
const CHUNK_BYTES_MAX = 8_000_000;
/** Read at once: at most 50 MB of the largest cases. */
const SLICE_CASES = 100;
const PLANNINGS_MAX = 5;

export interface PlanDeps extends Ambient {
  readonly evaluations: EvaluationStore;
  readonly planning: PlanningStore;
  readonly queue: EvaluationQueue;
}

/**
 * Cuts a pending run into chunks, each with its cases as they are at this moment, and asks for their evaluation.
 * Done again it asks again for the same chunks.
 */
export async function planRun(deps: PlanDeps, orgId: string, runId: string): Promise<void> {
  const evaluation = await deps.evaluations.find(orgId, runId);
  if (evaluation?.run.status !== 'pending') return;
  const plan = evaluation.plan ?? (await makePlan(deps, evaluation));
  if (plan === undefined) return abandonRun(deps, evaluation);
  const ended = await deps.evaluations.endedChunks(evaluation);
  const open = Array.from({ length: plan.chunks }, (_, chunk) => chunk).filter((chunk) => !ended.has(chunk));
  // When all have ended, the one who should have concluded died: any chunk leads there again.
  const asked = open.length > 0 ? open : [0];
  await deps.queue.send(
    asked.map((chunk) => ({ kind: 'chunk', org_id: orgId, run_id: runId, chunk, waits: 0 })),
  );
}

/** Undefined when there is nothing to evaluate any more: the suite was deleted or emptied. */
async function makePlan(deps: PlanDeps, evaluation: Evaluation): Promise<Plan | undefined> {
  const { evaluations, planning, newId } = deps;
  const { orgId, run } = evaluation;
  for (let planningNumber = 0; planningNumber < PLANNINGS_MAX; planningNumber++) {
    const outline = await planning.outline(orgId, run);
    if (outline === undefined) return undefined;
    const planner = newId();
    const written = await writeChunks(deps, evaluation, planner, outline.caseIds);
    if (written.chunks === 0) return undefined;
    // Unless nothing was written meanwhile, the chunks could be of two revisions.
    if ((await planning.outline(orgId, run))?.revision !== outline.revision) continue;
    const plan = { ...written, passThreshold: outline.passThreshold };
    if (await evaluations.savePlan(evaluation, planner, plan)) return plan;
    return (await evaluations.find(orgId, run.id))?.plan;
  }
  throw new Error('Gave up: the suite changed every time it was planned');
}

async function writeChunks(
  { evaluations, planning }: PlanDeps,
  evaluation: Evaluation,
  planner: string,
  caseIds: readonly string[],
): Promise<{ chunks: number; totalCases: number }> {
  let chunks = 0;
  let totalCases = 0;
  let chunk: PlannedCase[] = [];
  let size = { judged: 0, bytes: 0 };
  const flush = async () => {
    if (chunk.length === 0) return;
    await evaluations.savePlannedChunk(evaluation, planner, chunks++, chunk);
    totalCases += chunk.length;
    chunk = [];
    size = { judged: 0, bytes: 0 };
  };
  for (let start = 0; start < caseIds.length; start += SLICE_CASES) {
    const slice = caseIds.slice(start, start + SLICE_CASES);
    for (const planned of await planning.cases(evaluation.orgId, evaluation.run, slice)) {
      chunk.push(planned);
      size = grown(size, planned);
      if (isFull(chunk.length, size)) await flush();
    }
  }
  await flush();
  return { chunks, totalCases };
}

const grown = (size: { judged: number; bytes: number }, planned: PlannedCase) => ({
  judged: size.judged + (planned.scorer?.type === 'llm_judge' ? 1 : 0),
  bytes: size.bytes + JSON.stringify([planned.input, planned.expected]).length,
});

const isFull = (cases: number, { judged, bytes }: { judged: number; bytes: number }): boolean =>
  cases >= CHUNK_CASES_MAX || judged >= CHUNK_JUDGED_CASES_MAX || bytes >= CHUNK_BYTES_MAX;
