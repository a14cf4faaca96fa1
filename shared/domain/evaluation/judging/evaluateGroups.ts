import { isJudged } from '../../../scoring/engine/engine.ts';
import type { Excerptible } from '../../runs/results/excerpts.ts';
import type { PlannedCase } from '../../suites/chains/plannedCase.ts';
import { groupResults } from '../chunkResults.ts';
import type { EvaluateDeps } from '../deps.ts';
import type { CaseResult } from '../evaluation.ts';
import { sampledGroups } from '../samples.ts';
import { mayWait } from '../slots/requeue.ts';
import type { ChunkWork } from './chunkWork.ts';
import { judgeSamples } from './judgeCases.ts';
import { createKeyring } from './keyring.ts';

/** Where a judge has no slots, samples of later groups are judged nevertheless. */
export async function evaluateGroups(
  deps: EvaluateDeps,
  chunkWork: ChunkWork,
  holder: string,
  cases: readonly PlannedCase[],
): Promise<Excerptible[] | 'no_slots' | 'unfinished'> {
  const { evaluations, now } = deps;
  const { evaluation, message, seat, startedAtMs } = chunkWork;
  const { chunk } = message;
  const hasJudged = cases.some(({ scorer }) => isJudged(scorer));
  const judged = hasJudged ? await evaluations.judged(evaluation, chunk) : new Map<number, CaseResult>();
  const judging = { ...deps, keyring: createKeyring(deps, evaluation.orgId) };
  const work = { seat, startedAtMs, evaluation, chunk, holder, judged, mayWait: mayWait(deps, evaluation) };
  const scored: Excerptible[] = [];
  let waits = false;
  for await (const group of sampledGroups(deps, evaluation, { chunk, cases })) {
    const samples = group.cases.flatMap((planned, index) =>
      (group.samples[index] ?? []).map((sample) => ({ planned, sample })),
    );
    const outcome = await judgeSamples(judging, { ...work, samples, firstPlace: group.firstPlace });
    if (outcome === 'unfinished') return outcome;
    waits ||= outcome === 'no_slots';
    if (!waits) scored.push(...(await groupResults(evaluation, group, { judged, now })));
  }
  return waits ? 'no_slots' : scored;
}
