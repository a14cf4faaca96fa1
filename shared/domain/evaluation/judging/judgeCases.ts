import { isJudged } from '../../../scoring/engine/engine.ts';
import type { CaseResult } from '../../../scoring/kit/types.ts';
import { candidateOf, type Sample } from '../../runs/outputs/submission.ts';
import type { PlannedCase } from '../../suites/chains/plannedCase.ts';
import { atOnce } from '../atOnce.ts';
import { ChunkLost } from '../chunkLost.ts';
import type { EvaluateDeps } from '../deps.ts';
import type { Evaluation } from '../evaluation.ts';
import { CHUNK_TAKES_CALLS_MS, CHUNK_TAKES_CASES_MS, SLOTS_MAX } from '../limits.ts';
import type { CallCheck } from '../slots/ports.ts';
import type { Seat } from '../slots/seats.ts';
import { countIn, createCallCounter } from './callCounter.ts';
import { type JudgeCaseDeps, judgeCase } from './judgeCase.ts';
import type { Keyring } from './keyring.ts';

interface JudgeWork {
  /** Undefined for a chunk that has waited for one as long as it may: no call is made. */
  readonly seat: Seat | undefined;
  readonly startedAtMs: number;
  readonly evaluation: Evaluation;
  readonly chunk: number;
  readonly holder: string;
  /** Of the chunk, in order, from a place among all of its samples. */
  readonly samples: readonly PlannedSample[];
  readonly firstPlace: number;
  /** Verdicts by the place of their sample. New ones are added. */
  readonly judged: Map<number, CaseResult>;
  /** Whether the chunk may still be put back when it gets no slot. */
  readonly mayWait: boolean;
}

/** More than can be called about at once: where a call ends, another waits for its slot. */
const CASES_AT_ONCE = 2 * SLOTS_MAX;

interface PlannedSample {
  readonly planned: PlannedCase;
  readonly sample: Sample;
}

/**
 * Judges what is not judged yet, by this delivery of the chunk or an earlier one. `unfinished`: the time or the seat was
 * lost before all were judged.
 */
export async function judgeSamples(
  deps: EvaluateDeps & { keyring: Keyring },
  work: JudgeWork,
): Promise<'judged' | 'no_slots' | 'unfinished'> {
  const { evaluation, chunk, samples, firstPlace, judged, mayWait } = work;
  const places = samples.flatMap(({ planned, sample }, index) =>
    isJudged(planned.scorer) && sample.output !== undefined ? [firstPlace + index] : [],
  );
  const open = places.filter((index) => !judged.has(index));
  if (open.length === 0) return 'judged';
  const bounds = boundsOf(deps, work);
  let waiting = false;
  await atOnce(CASES_AT_ONCE, open, async (index) => {
    if (!bounds.takesCases()) return;
    const { result, gotNoSlot } = await judgeOne(deps, work, index, bounds);
    if (gotNoSlot && (mayWait || bounds.isOver())) {
      waiting = true;
      return;
    }
    await deps.evaluations.saveJudged(evaluation, chunk, index, result);
    judged.set(index, result);
  });
  if (bounds.isOver() && open.some((index) => !judged.has(index))) return 'unfinished';
  return waiting ? 'no_slots' : 'judged';
}

type Bounds = ReturnType<typeof boundsOf>;

function boundsOf({ now, evaluations }: EvaluateDeps, work: JudgeWork) {
  const { evaluation, chunk, holder, seat, startedAtMs } = work;
  let isOver = false;
  const noteOver = (over: boolean) => {
    isOver ||= over;
    return !over;
  };
  const lasts = () => now() - startedAtMs;
  const isSeated = async () => seat === undefined || seat.ensureKept();
  const counter = createCallCounter(
    countIn((indexes) => evaluations.beginCalls(evaluation, chunk, holder, indexes)),
  );
  return {
    isOver: () => isOver,
    /** Once more: the call may have waited for its slot. */
    countCall:
      (index: number): CallCheck =>
      async () => {
        if (!(await isSeated())) throw new ChunkLost();
        return counter(index)();
      },
    takesCases: () => noteOver(isOver || lasts() >= CHUNK_TAKES_CASES_MS),
    takesCalls: async () => noteOver(lasts() >= CHUNK_TAKES_CALLS_MS || !(await isSeated())),
  };
}

function judgeOne(
  deps: EvaluateDeps & { keyring: Keyring },
  work: JudgeWork,
  index: number,
  { takesCalls, countCall }: Bounds,
) {
  const { seat, evaluation, chunk, samples, firstPlace } = work;
  const { planned, sample } = samples[index - firstPlace] ?? {};
  const candidate = sample && candidateOf(sample);
  if (planned === undefined || candidate === undefined)
    throw new Error(`Chunk ${chunk} has no output ${index}`);
  const withSlot: JudgeCaseDeps['withSlot'] = async (provider, call) =>
    seat !== undefined && (await takesCalls())
      ? deps.withSlot(evaluation.orgId, provider, call)
      : { kind: 'not_made', why: 'no_slot' };
  const isRunLong = evaluation.plan?.outputs.isLong === true;
  return judgeCase({ ...deps, withSlot }, { planned, candidate, countCall: countCall(index), isRunLong });
}
