import { isJudged } from '../../../scoring/engine/engine.ts';
import { rememberable } from '../../runs/judgeProof.ts';
import type { Excerptible } from '../../runs/results/excerpts.ts';
import type { PlannedCase } from '../../suites/chains/plannedCase.ts';
import { groupResults } from '../chunkResults.ts';
import type { EvaluateDeps } from '../deps.ts';
import type { JudgeTokens } from '../evaluation.ts';
import type { JudgedSample } from '../ports.ts';
import { sampledGroups } from '../samples.ts';
import { mayWait } from '../slots/requeue.ts';
import type { ChunkWork } from './chunkWork.ts';
import { judgeSamples } from './judgeCases.ts';
import { createKeyring } from './keyring.ts';
import { Memory } from './memory.ts';
import { tokensOf } from './usage.ts';

interface EvaluatedGroups {
  readonly scored: readonly Excerptible[];
  /** Undefined where a model judges none of the cases. */
  readonly judge: JudgeTokens | undefined;
}

/** Where a judge has no slots, samples of later groups are judged nevertheless. */
export async function evaluateGroups(
  deps: EvaluateDeps,
  chunkWork: ChunkWork,
  holder: string,
  cases: readonly PlannedCase[],
): Promise<EvaluatedGroups | 'no_slots' | 'unfinished'> {
  const { evaluations, now } = deps;
  const { evaluation, plan, message, seat, startedAtMs } = chunkWork;
  const { chunk } = message;
  const hasJudged = cases.some(({ scorer }) => isJudged(scorer));
  const judged = hasJudged ? await evaluations.judged(evaluation, chunk) : new Map<number, JudgedSample>();
  const judging = {
    ...deps,
    keyring: createKeyring(deps, { orgId: evaluation.orgId, projectId: evaluation.run.project_id }),
  };
  const work = { seat, startedAtMs, evaluation, chunk, holder, judged, mayWait: mayWait(deps, evaluation) };
  const scored: Excerptible[] = [];
  let waits = false;
  let memory: Memory | undefined;
  const { suite_id: id, created_at: createdAt } = evaluation.run;
  const suite = { orgId: evaluation.orgId, id };
  const mayRemember = await rememberable(
    deps,
    { suite, createdAt },
    hasJudged ? plan.gates.judges : undefined,
  );
  for await (const group of sampledGroups(deps, evaluation, { chunk, cases })) {
    memory ??= new Memory(deps, evaluation, chunk, { asksAgain: group.judgesAgain, mayRemember });
    const samples = group.cases.flatMap((planned, index) =>
      (group.samples[index] ?? []).map((sample) => ({ planned, sample })),
    );
    const outcome = await judgeSamples(judging, { ...work, memory, samples, firstPlace: group.firstPlace });
    if (outcome === 'unfinished') return outcome;
    waits ||= outcome === 'no_slots';
    if (!waits) scored.push(...(await groupResults(evaluation, group, { judged, now })));
  }
  if (waits) return 'no_slots';
  return { scored, judge: hasJudged ? tokensOf(judged.values()) : undefined };
}
