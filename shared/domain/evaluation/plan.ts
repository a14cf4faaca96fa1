import { abandonRun } from './abandon.ts';
import { concludeRun } from './conclude.ts';
import type { EvaluateDeps } from './deps.ts';
import { evaluatePlanned } from './evaluateChunk.ts';
import type { Evaluation, TakenChunk } from './evaluation.ts';
import { openChunks } from './openChunks.ts';
import { writeChunks } from './planChunks.ts';

const PLANNINGS_MAX = 5;
/** Nobody takes a chunk before it is planned. */
const NONE_TAKEN: ReadonlyMap<number, TakenChunk> = new Map();

/**
 * Cuts a pending run into chunks, each with its cases as they are at this moment, and has them evaluated. Done again
 * it takes up the same chunks.
 */
export async function planRun(deps: EvaluateDeps, orgId: string, runId: string): Promise<void> {
  const { evaluations, queue } = deps;
  const found = await evaluations.find(orgId, runId);
  if (found?.run.status !== 'pending') return;
  const made = found.plan === undefined ? await makePlan(deps, found) : undefined;
  // Where it can't be planned, another may have done so before.
  const planned = made ?? (found.plan === undefined ? await evaluations.find(orgId, runId) : found);
  if (planned?.run.status !== 'pending') return;
  const { plan } = planned;
  if (plan === undefined || plan.isAbandoned) return abandonRun(deps, planned);
  const taken = made === undefined ? await evaluations.takenChunks(planned) : NONE_TAKEN;
  const open = openChunks(planned, plan, taken);
  const [only, ...others] = open;
  // When all have ended, the one who should have concluded died.
  if (only === undefined) return concludeRun(deps, planned, plan);
  // A lone chunk needs nobody else: its message and another invocation cost more than its evaluation.
  if (others.length === 0) return evaluatePlanned(deps, planned, only, { isLast: true });
  const ended = [...taken.keys()].filter((chunk) => taken.get(chunk)?.ended === true);
  // Who ended them may have died before it was known.
  const known = ended.length === 0 ? [] : await evaluations.markEnded(planned, ended);
  if (known.length === plan.chunks) return concludeRun(deps, planned, plan);
  await queue.send(open);
}

/** Undefined when there is nothing to evaluate any more, the suite deleted or emptied, or another plan came first. */
async function makePlan(deps: EvaluateDeps, evaluation: Evaluation): Promise<Evaluation | undefined> {
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
    if (!isLast && (await planning.revision(orgId, run)) !== outline.revision) continue;
    const plan = { ...written, passThreshold: outline.passThreshold, isAbandoned: false };
    const saved = await evaluations.savePlan(evaluation, planner, plan);
    return saved ? { ...evaluation, plan, planner } : undefined;
  }
}
