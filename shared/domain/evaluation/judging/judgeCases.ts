import { isJudged, judgeQuestionOf } from '../../../scoring/engine/engine.ts';
import { candidateOf, type Sample } from '../../runs/outputs/submission.ts';
import type { PlannedCase } from '../../suites/chains/plannedCase.ts';
import { atOnce } from '../atOnce.ts';
import { ChunkLost } from '../chunkLost.ts';
import type { EvaluateDeps } from '../deps.ts';
import type { Evaluation } from '../evaluation.ts';
import { CALLS_PER_CASE_MAX, CHUNK_TAKES_CALLS_MS, CHUNK_TAKES_CASES_MS, SLOTS_MAX } from '../limits.ts';
import type { JudgedSample } from '../ports.ts';
import type { CallCheck } from '../slots/ports.ts';
import type { Seat } from '../slots/seats.ts';
import { countIn, createCallCounter } from './callCounter.ts';
import { type JudgeCaseDeps, judgeCase } from './judgeCase.ts';
import type { Keyring } from './keyring.ts';
import type { Memory, OpenSample } from './memory.ts';

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
  /** By the place of their sample. New ones are added. */
  readonly judged: Map<number, JudgedSample>;
  readonly memory: Memory;
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
  const { samples, firstPlace, judged, memory, mayWait } = work;
  const unknown = samples.flatMap(({ planned, sample }, index): OpenSample[] => {
    const candidate = isJudged(planned.scorer) ? candidateOf(sample) : undefined;
    const place = firstPlace + index;
    return candidate === undefined || judged.has(place) ? [] : [{ place, planned, candidate }];
  });
  if (unknown.length === 0) return 'judged';
  for (const [place, known] of await memory.recall(unknown)) judged.set(place, known);
  const open = unknown.filter(({ place }) => !judged.has(place));
  const bounds = boundsOf(deps, work);
  let waiting = false;
  await atOnce(CASES_AT_ONCE, open, async (sample) => {
    if (!bounds.takesCases()) return;
    const { result, usage, gotNoSlot } = await judgeOne(deps, work, sample, bounds);
    if (gotNoSlot && (mayWait || bounds.isOver())) {
      waiting = true;
      return;
    }
    judged.set(sample.place, await memory.keep(sample, { result, usage }));
  });
  if (bounds.isOver() && open.some(({ place }) => !judged.has(place))) return 'unfinished';
  return waiting ? 'no_slots' : 'judged';
}

type Bounds = ReturnType<typeof boundsOf>;

function boundsOf({ now, evaluations }: EvaluateDeps, work: JudgeWork) {
  const { evaluation, chunk, holder, seat, startedAtMs, samples, firstPlace } = work;
  let isOver = false;
  const noteOver = (over: boolean) => {
    isOver ||= over;
    return !over;
  };
  const lasts = () => now() - startedAtMs;
  const isSeated = async () => seat === undefined || seat.ensureKept();
  const callsMaxOf = (index: number): number => {
    const scorer = samples[index - firstPlace]?.planned.scorer;
    return CALLS_PER_CASE_MAX * ((scorer && judgeQuestionOf(scorer)?.votes) ?? 1);
  };
  const counter = createCallCounter(
    countIn((indexes) => evaluations.beginCalls(evaluation, chunk, holder, indexes, callsMaxOf)),
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
  { seat, evaluation }: JudgeWork,
  { place, planned, candidate }: OpenSample,
  { takesCalls, countCall }: Bounds,
) {
  const withSlot: JudgeCaseDeps['withSlot'] = async (provider, call) =>
    seat !== undefined && (await takesCalls())
      ? deps.withSlot(evaluation.orgId, provider, call)
      : { kind: 'not_made', why: 'no_slot' };
  const isRunLong = evaluation.plan?.outputs.isLong === true;
  return judgeCase({ ...deps, withSlot }, { planned, candidate, countCall: countCall(place), isRunLong });
}
