import { hasSuite, suiteRevisionOfRun } from '../../runs/suiteRevisionOfRun.ts';
import { abandonRun } from '../abandon.ts';
import { concludeRun } from '../conclude.ts';
import type { EvaluateDeps } from '../deps.ts';
import { evaluatePlanned } from '../evaluateChunk.ts';
import type { ChunkPlan, Evaluation, TakenChunk } from '../evaluation.ts';
import { Expired } from '../samples.ts';
import { cutChunks, judgesOfChunks } from './cutChunks.ts';
import { openChunks } from './openChunks.ts';
import { placeOutputs } from './placeOutputs.ts';

/** No chunk is claimed before the plan is saved. */
const NONE_TAKEN: ReadonlyMap<number, TakenChunk> = new Map();

/** Cuts a pending run into chunks, to be evaluated. A run that is planned already keeps its chunks. */
export async function planRun(deps: EvaluateDeps, orgId: string, runId: string): Promise<void> {
  const { evaluations } = deps;
  const evaluation = await evaluations.find(orgId, runId);
  if (evaluation?.run.status !== 'pending') return;
  const newlyPlanned = evaluation.plan === undefined ? await planAnew(deps, evaluation) : undefined;
  // If it could not be planned, another evaluator may have planned it before.
  const planned =
    newlyPlanned ?? (evaluation.plan === undefined ? await evaluations.find(orgId, runId) : evaluation);
  if (planned?.run.status !== 'pending') return;
  const { plan } = planned;
  if (plan === undefined || plan.isAbandoned) return abandonRun(deps, planned);
  return evaluateOpen(deps, planned, plan, { isFirst: newlyPlanned !== undefined });
}

/** Undefined also where the outputs are gone because another evaluator has ended the run, or is about to. */
async function planAnew(deps: EvaluateDeps, evaluation: Evaluation): Promise<Evaluation | undefined> {
  try {
    return await makePlan(deps, evaluation);
  } catch (error) {
    if (!(error instanceof Expired)) throw error;
    const current = await deps.evaluations.find(evaluation.orgId, evaluation.run.id);
    if (current?.run.status === 'pending' && current.plan === undefined) throw error;
    return undefined;
  }
}

async function evaluateOpen(
  deps: EvaluateDeps,
  planned: Evaluation,
  plan: ChunkPlan,
  { isFirst }: { readonly isFirst: boolean },
): Promise<void> {
  const { evaluations } = deps;
  const taken = isFirst ? NONE_TAKEN : await evaluations.takenChunks(planned);
  const open = openChunks(planned, plan, taken);
  const [only, ...otherChunks] = open;
  // All chunks have ended: the evaluator that should have concluded the run died.
  if (only === undefined) return concludeRun(deps, planned, plan, deps);
  // A single chunk is evaluated here: a message and another invocation cost more than its evaluation.
  if (otherChunks.length === 0) return evaluatePlanned(deps, planned, only, { isLast: true });
  const ended = [...taken.keys()].filter((chunk) => taken.get(chunk)?.ended === true);
  // The evaluators that ended them may have died before they marked the end.
  const known = ended.length === 0 ? [] : await evaluations.markEnded(planned, ended);
  if (known.length === plan.ends.length) return concludeRun(deps, planned, plan, deps);
  await deps.queue.send(open);
}

/** Undefined when the suite was deleted, or another plan was saved first. */
async function makePlan(deps: EvaluateDeps, evaluation: Evaluation): Promise<Evaluation | undefined> {
  if (!(await hasSuite(deps, evaluation))) return undefined;
  const suite = await suiteRevisionOfRun(deps, evaluation);
  const cut = await cutChunks(suite);
  const outputs = await placeOutputs(deps, evaluation, cut);
  const { digest: suiteDigest, name: bar } = await deps.digestOfSuite(suite);
  const judges = await judgesOfChunks(suite, cut);
  const known = { ...suite.settings, suiteDigest, bar, ends: cut.ends, totalCases: cut.cases.length };
  const plan = { ...known, judges, outputs, isAbandoned: false };
  const saved = await deps.evaluations.savePlan(evaluation, plan);
  return saved ? { ...evaluation, plan } : undefined;
}
