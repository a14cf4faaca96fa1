import type { CompiledScorer, Guard } from '../kit/definition.ts';
import { erroredOutcome, RUN_TIMEOUT } from '../kit/errors.ts';
import type { Budget } from './budget.ts';
import { type Batch, scoreJob } from './job.ts';

/** A scorer that does not end in this time is at fault. If it got less, the run has too many scorers. */
const FAIR_MS = 5;
const FAIR_PER_MEGABYTE_MS = 40;

/** A scorer with jobs that are not done, in their order. */
interface Waiting {
  readonly compiled: CompiledScorer;
  readonly guard: Guard;
  readonly jobs: number[];
  /** The longest time in which the first of its jobs did not end. */
  triedMs: number;
}

/**
 * Scores jobs one by one, each with its own limit. Each scorer has a fair turn first, so that quick ones are scored
 * however many others never end. Those that are not done then share the rest of the time: honest schemas may compile
 * for long. Beyond the run's budget, only scorers that are not at fault yet go on.
 */
export function scoreEachAlone(batch: Batch, unfinished: readonly number[], budget: Budget): void {
  const waiting = waitingScorers(batch, unfinished);
  const undone = unscored(waiting, (scorer, count) => {
    const { compileMs = 0, sharedPerMegabyteMs = 0 } = scorer.guard;
    const turnMs = budget.leftAtMostMs() / count;
    const onceMs = compileMs + sharedPerMegabyteMs * batch.megabytes;
    const jobMs = Math.max(Math.min(fairMs(batch), turnMs) + onceMs, budget.leftMs() / count);
    return takeTurn(batch, scorer, { jobMs, turnMs }, budget);
  });
  const left = unscored(undone, (scorer, count) => {
    const { triedMs, guard } = scorer;
    const turnMs = (isAtFault(batch, scorer) ? budget.leftMs() : budget.leftAtMostMs()) / count;
    const jobMs = Math.min(guard.limitMs, turnMs);
    // It will not end in little more time, unless that is all of its limit.
    const isInVain = triedMs >= guard.limitMs || (jobMs < guard.limitMs && jobMs < 2 * triedMs);
    return !isInVain && takeTurn(batch, scorer, { jobMs, turnMs }, budget);
  });
  for (const scorer of left) fail(batch, scorer);
}

/** `act` takes a scorer and how many have not had their turn. */
const unscored = (
  waiting: readonly Waiting[],
  act: (scorer: Waiting, count: number) => boolean,
): readonly Waiting[] => waiting.filter((scorer, index) => !act(scorer, waiting.length - index));

function waitingScorers(batch: Batch, unfinished: readonly number[]): Waiting[] {
  const waiting = new Map<CompiledScorer, Waiting>();
  for (const index of unfinished) {
    const compiled = batch.jobs[index]?.compiled;
    if (!compiled?.guard) continue;
    const known = waiting.get(compiled);
    if (known) known.jobs.push(index);
    else waiting.set(compiled, { compiled, guard: compiled.guard, jobs: [index], triedMs: 0 });
  }
  return [...waiting.values()];
}

function fairMs(batch: Batch): number {
  return FAIR_MS + FAIR_PER_MEGABYTE_MS * batch.megabytes;
}

interface Turn {
  readonly jobMs: number;
  /** No other job of the scorer starts after this time. */
  readonly turnMs: number;
}

/** True if all its jobs are done. When one does not end, the others wait too: they will probably not end either. */
function takeTurn(batch: Batch, scorer: Waiting, { jobMs, turnMs }: Turn, budget: Budget): boolean {
  const { compiled, guard, jobs } = scorer;
  const startMs = batch.processor.ms();
  for (let index = jobs[0]; index !== undefined; index = jobs[0]) {
    const limitMs = Math.min(guard.limitMs, jobMs, budget.leftAtMostMs());
    if (limitMs <= 0 || batch.processor.ms() - startMs > turnMs) return false;
    if (!isScored(batch, index, compiled, limitMs)) {
      scorer.triedMs = Math.max(scorer.triedMs, limitMs);
      return false;
    }
    jobs.shift();
    scorer.triedMs = 0;
  }
  return true;
}

function isScored(batch: Batch, index: number, compiled: CompiledScorer, limitMs: number): boolean {
  batch.clockMs = batch.now();
  const score = () => scoreJob(batch, index);
  if (batch.processor.finishesWithin(limitMs, score, { beginAnew: compiled.reset })) return true;
  compiled.reset();
  // The interrupt may have struck when the outcome was stored.
  return batch.outcomes[index] !== undefined;
}

/** What is done once may have been interrupted: such a scorer is at fault only at its limit. */
function isAtFault(batch: Batch, { guard, triedMs }: Waiting): boolean {
  const { limitMs, compileMs, sharedPerMegabyteMs } = guard;
  const doesOnce = compileMs !== undefined || sharedPerMegabyteMs !== undefined;
  return triedMs >= (doesOnce ? limitMs : Math.min(limitMs, fairMs(batch)));
}

function fail(batch: Batch, scorer: Waiting): void {
  const failure = erroredOutcome(isAtFault(batch, scorer) ? scorer.guard.timeout : RUN_TIMEOUT);
  for (const index of scorer.jobs) batch.outcomes[index] ??= failure;
}
