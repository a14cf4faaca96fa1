import type { Ambient } from '../ports.ts';
import { abandonRun } from './abandon.ts';
import { concludeRun } from './conclude.ts';
import { writeChunks } from './planChunks.ts';
import type { Evaluation, EvaluationQueue, EvaluationStore, Plan, PlanningStore } from './ports.ts';

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
  const plan =
    evaluation.plan ?? (await makePlan(deps, evaluation)) ?? (await plannedByAnother(deps, evaluation));
  if (plan === undefined || plan.isAbandoned) return abandonRun(deps, evaluation);
  const taken = await deps.evaluations.takenChunks(evaluation);
  const chunks = Array.from({ length: plan.chunks }, (_, chunk) => chunk);
  const open = chunks.filter((chunk) => taken.get(chunk)?.ended !== true);
  // When all have ended, the one who should have concluded died.
  if (open.length === 0) return concludeRun(deps, evaluation, plan);
  await deps.queue.send(
    open.map((chunk) => {
      const waits = taken.get(chunk)?.waits ?? 0;
      return { kind: 'chunk', org_id: orgId, run_id: runId, chunk, waits, held: 0 };
    }),
  );
}

const plannedByAnother = async ({ evaluations }: PlanDeps, { orgId, run }: Evaluation) =>
  (await evaluations.find(orgId, run.id))?.plan;

/** Undefined when there is nothing to evaluate any more: the suite was deleted or emptied. */
async function makePlan(deps: PlanDeps, evaluation: Evaluation): Promise<Plan | undefined> {
  const { evaluations, planning, newId } = deps;
  const { orgId, run } = evaluation;
  for (let planningNumber = 1; ; planningNumber++) {
    const outline = await planning.outline(orgId, run);
    if (outline === undefined) return undefined;
    const planner = newId();
    const written = await writeChunks(deps, evaluation, planner, outline.caseIds);
    if (written.chunks === 0) return undefined;
    // Unless nothing was written meanwhile, the chunks could be of two revisions. Under constant editing the last
    // planning takes each case as it was at some moment of it.
    const isLast = planningNumber === PLANNINGS_MAX;
    if (!isLast && (await planning.outline(orgId, run))?.revision !== outline.revision) continue;
    const plan = { ...written, passThreshold: outline.passThreshold, isAbandoned: false };
    if (await evaluations.savePlan(evaluation, planner, plan)) return plan;
    return plannedByAnother(deps, evaluation);
  }
}
