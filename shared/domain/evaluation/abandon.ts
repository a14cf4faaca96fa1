import { failedByError } from '../../scoring/engine.ts';
import type { Ambient } from '../ports.ts';
import { completion, concludeRun, UNEVALUATED } from './conclude.ts';
import { RetainMessage } from './deps.ts';
import type { Evaluation, EvaluationStore, PlannedCase } from './ports.ts';

export interface AbandonDeps extends Ambient {
  readonly evaluations: EvaluationStore;
}

const REASON =
  'the run could not be evaluated to its end, so this case has no verdict: run the gate again; this run is not counted';

/**
 * Ends a run that can't be evaluated: aborted and inconclusive, with the error in every result that is missing,
 * and not counted as usage. Cases that have a verdict keep it.
 */
export async function abandonRun(deps: AbandonDeps, evaluation: Evaluation): Promise<void> {
  const { run, plan } = evaluation;
  if (plan !== undefined) {
    const ended = await deps.evaluations.endedChunks(evaluation);
    for (let chunk = 0; chunk < plan.chunks; chunk++) {
      if (!ended.has(chunk)) await abandonChunk(deps, evaluation, chunk);
    }
    return concludeRun(deps, evaluation, plan);
  }
  const concluded = await deps.evaluations.conclude(evaluation, {
    ...UNEVALUATED,
    ...completion(run, deps.now()),
    pass_rate: 0,
    total_cases: run.total_cases,
    passed_cases: 0,
    failed_cases: run.total_cases,
    errored_cases: run.total_cases,
  });
  if (concluded) return;
  const current = await deps.evaluations.find(evaluation.orgId, run.id);
  if (current?.run.status === 'pending') throw new RetainMessage('The run was planned meanwhile');
}

/** Ends one chunk that can't be evaluated. */
export async function abandonChunk(deps: AbandonDeps, evaluation: Evaluation, chunk: number): Promise<void> {
  const { evaluations, newId } = deps;
  const holder = newId();
  const claim = await evaluations.claim(evaluation, chunk, holder);
  if (claim === 'held')
    throw new RetainMessage(`Chunk ${chunk} of run ${evaluation.run.id} is being evaluated`);
  if (claim === 'claimed') {
    const judged = await evaluations.judged(evaluation, chunk);
    const cases = await evaluations.plannedChunk(evaluation, chunk);
    const results = cases.map((planned, index) => judged.get(index) ?? unevaluated(planned));
    const finished = await evaluations.finishChunk(evaluation, chunk, holder, results, { failed: true });
    if (!finished) throw new RetainMessage('Another evaluator took this chunk over');
  }
  await evaluations.markEnded(evaluation, chunk);
}

const unevaluated = (planned: PlannedCase) => ({
  ...failedByError(planned, 'EVALUATION_FAILED', REASON),
  weight: planned.weight,
});
