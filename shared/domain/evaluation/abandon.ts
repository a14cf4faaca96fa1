import { EVALUATION_FAILED, failedByError } from '../../scoring/engine/engine.ts';
import { RetainMessage } from '../messages.ts';
import type { Ambient } from '../ports.ts';
import type { ScoredCase } from '../runs/ports.ts';
import { foldedCase } from '../runs/results/caseResults.ts';
import { suiteRevisionOfRun } from '../runs/suiteRevisionOfRun.ts';
import type { Revisions } from '../suites/chains/chains.ts';
import { rangeOf } from '../suites/chains/chunks.ts';
import type { PlannedCase } from '../suites/chains/plannedCase.ts';
import { plainCase } from '../suites/chains/suiteRevision.ts';
import { storedChunk } from './chunkResults.ts';
import { completion, concludeRun, NOTHING_LEFT } from './conclude.ts';
import type { ChunkPlan, Evaluation, JudgeTokens } from './evaluation.ts';
import { settleFaults } from './judging/faults.ts';
import { ownResult, usageOf } from './judging/keptVerdict.ts';
import { sumOfUsage } from './judging/usage.ts';
import { cutChunks } from './planning/cutChunks.ts';
import type { EvaluationStore, JudgedSample, KeptVerdict } from './ports.ts';
import { withJudged } from './samples.ts';

export interface AbandonDeps extends Ambient {
  readonly evaluations: EvaluationStore;
  readonly chains: Revisions;
}

/** Ends a run that can't be evaluated: inconclusive, not counted as usage. Cases with a verdict keep it. */
export async function abandonRun(deps: AbandonDeps, evaluation: Evaluation): Promise<void> {
  const plan = evaluation.plan ?? (await planUnjudged(deps, evaluation));
  if (plan === undefined) return endUnjudged(deps, evaluation);
  const planned = (await deps.evaluations.find(evaluation.orgId, evaluation.run.id)) ?? evaluation;
  const ended = await deps.evaluations.endedChunks(planned);
  for (let chunk = 0; chunk < plan.ends.length; chunk++) {
    if (!ended.has(chunk)) await abandonChunk(deps, planned, chunk);
  }
  return concludeRun(deps, planned, plan);
}

/** Plans the cases of a suite that is gone, so that each gets a result that says why it was not evaluated. */
async function planUnjudged(deps: AbandonDeps, evaluation: Evaluation): Promise<ChunkPlan | undefined> {
  const { evaluations } = deps;
  const { ends, cases } = await cutChunks(await suiteRevisionOfRun(deps, evaluation));
  if (cases.length === 0) return undefined;
  const plan = { ...NO_BAR, ends, totalCases: cases.length, isAbandoned: true };
  if (await evaluations.savePlan(evaluation, plan)) return plan;
  const other = (await evaluations.find(evaluation.orgId, evaluation.run.id))?.plan;
  if (other?.isAbandoned === false) throw new RetainMessage('The run was planned meanwhile');
  return other;
}

/** Ends a run that was not planned. */
async function endUnjudged(
  { evaluations, now }: Pick<AbandonDeps, 'evaluations' | 'now'>,
  evaluation: Evaluation,
): Promise<void> {
  const concluded = await evaluations.conclude(evaluation, {
    ...NOTHING_LEFT,
    ...completion(evaluation.run, now()),
  });
  // Not before: another evaluator may plan the run meanwhile, and need it.
  if (concluded) return evaluations.dropPayload(evaluation);
  const current = await evaluations.find(evaluation.orgId, evaluation.run.id);
  if (current?.run.status === 'pending') throw new RetainMessage('The run was planned meanwhile');
}

export async function abandonChunk(deps: AbandonDeps, evaluation: Evaluation, chunk: number): Promise<void> {
  const { evaluations, newId } = deps;
  const holder = newId();
  const claim = await evaluations.claim(evaluation, chunk, holder);
  if (claim === 'held')
    throw new RetainMessage(`Chunk ${chunk} of run ${evaluation.run.id} is being evaluated`);
  if (claim === 'claimed') {
    const judged = await evaluations.judged(evaluation, chunk);
    const verdicts = await evaluations.verdictsOfRun(evaluation, chunk);
    const suite = await suiteRevisionOfRun(deps, evaluation);
    const active = await suite.activeCases(rangeOf(evaluation.plan?.ends ?? [], chunk));
    const cases = active.map(({ member }) => plainCase(member));
    const soFar = { cases, judged, verdicts };
    const results = resultsSoFar(evaluation, chunk, soFar);
    const { scored, answers } = settleFaults(
      results.map((result) => ({ result, texts: undefined })),
      cases,
    );
    const ended = { ...storedChunk(scored, cases), answers, judge: judgeOf(soFar), failed: true };
    const finished = await evaluations.finishChunk(evaluation, chunk, holder, ended);
    if (!finished) throw new RetainMessage('Another evaluator took this chunk over');
  }
  await evaluations.markEnded(evaluation, [chunk]);
}

interface SoFar {
  readonly cases: readonly PlannedCase[];
  readonly judged: ReadonlyMap<number, JudgedSample>;
  readonly verdicts: readonly KeptVerdict[];
}

function judgeOf({ judged, verdicts }: SoFar): JudgeTokens | undefined {
  if (judged.size + verdicts.length === 0) return undefined;
  const usages = [...judged.values()].map(({ usage }) => usage);
  return { remembered: 0, ...sumOfUsage(...usages, ...verdicts.map(usageOf)) };
}

/** What judges have said stays. Outputs are not read: they may be what ended the evaluators. */
function resultsSoFar(
  { run, plan }: Evaluation,
  chunk: number,
  { cases, judged, verdicts }: SoFar,
): ScoredCase[] {
  const sent = plan?.isAbandoned === false ? plan.outputs : undefined;
  const isSingle = sent?.counts.length === 0;
  const countOf = (index: number) => (isSingle ? 1 : (sent?.counts[chunk]?.[index] ?? 0));
  // An output may have ended the evaluators: the service is blamed where none of the run was evaluated.
  const unevaluated = (planned: PlannedCase) =>
    failedByError(planned, { ...EVALUATION_FAILED, fault: 'candidate' });
  const byPlace = new Map(verdicts.map((kept) => [kept.place, kept]));
  let place = 0;
  const resultOf = (planned: PlannedCase) => {
    const kept = byPlace.get(place++);
    // Its scorer's thresholds are not read: what the run decided stays.
    return kept === undefined ? unevaluated(planned) : { ...ownResult(planned, kept), passed: kept.passed };
  };
  const scored = cases.map((planned, index) =>
    Array.from({ length: countOf(index) }, () => resultOf(planned)),
  );
  const results = withJudged(scored, judged);
  const digests = isSingle && sent.digest !== null ? [sent.digest.replace('sha256:', '')] : [];
  return cases.map((planned, index) => {
    const known = { samples: [], digests, scored: results[index] ?? [] };
    const { result } = foldedCase(planned, known, Date.parse(run.created_at));
    return sent === undefined ? { ...result, ...unevaluated(planned), missing: false } : result;
  });
}

const NO_BAR: Omit<ChunkPlan, 'ends' | 'totalCases' | 'isAbandoned'> = {
  passThreshold: 1,
  gates: {},
  keepOutputs: 'none',
  suiteDigest: null,
  outputs: { digest: null, surplus: [], surplusOutputs: 0, groups: [], counts: [] },
};
