import { failedByError, isJudged, judgeQuestionOf } from '../../../scoring/engine.ts';
import { canonicalProvider } from '../../byok/providers.ts';
import type { Candidate } from '../../runs/candidate.ts';
import { atOnce } from '../atOnce.ts';
import { CallsExhausted, type EvaluateDeps } from '../deps.ts';
import type { Evaluation, PlannedCase, WeighedCase } from '../ports.ts';
import { ChunkLost } from '../retainMessage.ts';
import { judgeCase } from './judgeCase.ts';
import type { Keyring } from './keyring.ts';

/** As many as an organisation has slots at a provider: more could not be under way. */
const CASES_AT_ONCE = 20;

const NO_SLOT = 'JUDGE_CONCURRENCY_EXCEEDED';

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
  await atOnce(CASES_AT_ONCE, open, async (index) => {
    const { code, ...result } = await judgeOne(deps, work, index);
    if (code === NO_SLOT && mayWait) {
      waiting = true;
      return;
    }
    await deps.evaluations.saveJudged(evaluation, chunk, index, result);
    judged.set(index, result);
  });
  return waiting ? 'no_slots' : judged;
}

async function judgeOne(deps: EvaluateDeps & { keyring: Keyring }, work: JudgeWork, index: number) {
  const { evaluation, chunk, holder, cases, candidate } = work;
  const planned = cases[index];
  const question = planned?.scorer ? judgeQuestionOf(planned.scorer) : undefined;
  if (planned === undefined || question === undefined)
    throw new Error(`Chunk ${chunk} has no judged case ${index}`);
  const provider = canonicalProvider(question.provider);
  const judging = judgeCase(deps, planned, candidate, {
    ...deps,
    withSlot: (call) =>
      deps.withSlot(evaluation.orgId, provider, {
        before: async () => {
          const begun = await deps.evaluations.beginCall(evaluation, chunk, holder, index);
          if (begun === 'lost') throw new ChunkLost();
          if (begun === 'exhausted') throw new CallsExhausted();
        },
        call,
      }),
  });
  return judging.catch((error: unknown) => {
    if (!(error instanceof CallsExhausted)) throw error;
    return {
      ...failedByError(planned, 'JUDGE_UNAVAILABLE', INTERRUPTED),
      weight: planned.weight,
      code: undefined,
    };
  });
}

const INTERRUPTED = 'the evaluator was interrupted too often while the judge was asked: run the gate again';
