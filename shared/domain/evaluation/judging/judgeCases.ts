import { isJudged } from '../../../scoring/engine.ts';
import type { Candidate } from '../../runs/candidate.ts';
import { atOnce } from '../atOnce.ts';
import { ChunkLost } from '../chunkLost.ts';
import type { EvaluateDeps } from '../deps.ts';
import type { Evaluation, PlannedCase, WeighedCase } from '../evaluation.ts';
import { SLOTS_MAX } from '../limits.ts';
import type { CallCheck } from '../slots/ports.ts';
import { judgeCase } from './judgeCase.ts';
import type { Keyring } from './keyring.ts';

interface JudgeWork {
  readonly evaluation: Evaluation;
  readonly chunk: number;
  readonly holder: string;
  readonly cases: readonly PlannedCase[];
  readonly candidate: Candidate;
  /** Whether the chunk may still be put back when it gets no slot. */
  readonly mayWait: boolean;
}

/** The judged cases of a chunk by their place in it. Those judged in an earlier delivery are not judged again. */
export async function judgeCases(
  deps: EvaluateDeps & { keyring: Keyring },
  work: JudgeWork,
): Promise<Map<number, WeighedCase> | 'no_slots'> {
  const { evaluation, chunk, cases, mayWait } = work;
  const places = cases.flatMap(({ scorer }, index) => (isJudged(scorer) ? [index] : []));
  if (places.length === 0) return new Map();
  const judged = await deps.evaluations.judged(evaluation, chunk);
  const open = places.filter((index) => !judged.has(index));
  let waiting = false;
  await atOnce(SLOTS_MAX, open, async (index) => {
    const { result, gotNoSlot } = await judgeOne(deps, work, index);
    if (gotNoSlot && mayWait) {
      waiting = true;
      return;
    }
    await deps.evaluations.saveJudged(evaluation, chunk, index, result);
    judged.set(index, result);
  });
  return waiting ? 'no_slots' : judged;
}

function judgeOne(deps: EvaluateDeps & { keyring: Keyring }, work: JudgeWork, index: number) {
  const { evaluation, chunk, holder, cases, candidate } = work;
  const planned = cases[index];
  if (planned === undefined) throw new Error(`Chunk ${chunk} has no case ${index}`);
  const countCall: CallCheck = async () => {
    const begun = await deps.evaluations.beginCall(evaluation, chunk, holder, index);
    if (begun === 'lost') throw new ChunkLost();
    return begun === 'exhausted' ? 'calls_exhausted' : undefined;
  };
  return judgeCase(
    { ...deps, withSlot: (provider, call) => deps.withSlot(evaluation.orgId, provider, call) },
    { planned, candidate, countCall },
  );
}
