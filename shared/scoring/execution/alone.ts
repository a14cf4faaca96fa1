import type { CompiledScorer, Guard } from '../definition.ts';
import { erroredOutcome, RUN_TIMEOUT } from '../errors.ts';
import type { Budget } from './budget.ts';
import { finishesWithin, processorMs } from './guard.ts';
import { type Batch, scoreJob } from './job.ts';

/** A scorer that did not end in so long a time of its own is at fault; if it had less, the run has too many of them. */
const FAIR_MS = 5;
const FAIR_PER_MEGABYTE_MS = 40;
/** Of it, what each scorer gets in the first round: those that end soon wait the least for those that never do. */
const FIRST_SHARE = 1 / 2;
/** What was interrupted begins anew: all rounds before the last take a third of it at most. */
const GROWTH = 4;

/** A scorer with jobs that are not done, in their order. */
interface Waiting {
  readonly compiled: CompiledScorer;
  readonly guard: Guard;
  readonly jobs: number[];
  /** The longest that the first of its jobs had, in vain. */
  triedMs: number;
}

/**
 * Scores jobs one by one, each with a limit of its own, in rounds: a job that does not end waits until all other scorers
 * had their turn, and then gets four times as much, up to its scorer's limit. So a job that ends soon is scored whatever
 * else the run holds. Beyond the run's budget only those go on that are not at fault yet.
 */
export function scoreEachAlone(batch: Batch, unfinished: readonly number[], budget: Budget): void {
  let waiting = waitingScorers(batch, unfinished);
  // Where not even the first round would end, those that are tried may as well have their fair time.
  const areTooMany = budget.leftAtMostMs() / waiting.length < fairMs(batch) * FIRST_SHARE * 1.2;
  let share = areTooMany ? 1 : FIRST_SHARE;
  for (; waiting.length > 0 && budget.leftAtMostMs() > 0; share *= GROWTH) {
    const equalMs = budget.leftMs() / waiting.length;
    const turnMs = budget.leftAtMostMs() / (2 * waiting.length);
    waiting = waiting.filter((scorer) => {
      const { limitMs, compileMs = 0 } = scorer.guard;
      const shareMs = compileMs * Math.max(1, share) + fairMs(batch) * share;
      const jobMs = Math.min(limitMs, Math.max(shareMs, equalMs));
      // It would not end in little more either.
      const isInVain = jobMs < limitMs && jobMs < scorer.triedMs * 2;
      if (!isInVain && takeTurn(batch, scorer, { jobMs, turnMs }, budget)) return false;
      if (scorer.triedMs < limitMs && (budget.leftMs() > 0 || !isAtFault(batch, scorer))) return true;
      fail(batch, scorer);
      return false;
    });
  }
  for (const scorer of waiting) fail(batch, scorer);
}

function waitingScorers(batch: Batch, unfinished: readonly number[]): Waiting[] {
  const waiting = new Map<CompiledScorer, Waiting>();
  for (const at of unfinished) {
    const compiled = batch.jobs[at]?.compiled;
    if (!compiled?.guard) continue;
    const known = waiting.get(compiled);
    if (known) known.jobs.push(at);
    else waiting.set(compiled, { compiled, guard: compiled.guard, jobs: [at], triedMs: 0 });
  }
  return [...waiting.values()];
}

function fairMs(batch: Batch): number {
  return FAIR_MS + FAIR_PER_MEGABYTE_MS * batch.megabytes;
}

interface Turn {
  /** What one job may take. */
  readonly jobMs: number;
  /** After so long, no other job of the scorer is begun. */
  readonly turnMs: number;
}

/** True when all its jobs are done. Once one does not end, the others wait too: that hardly depends on the case. */
function takeTurn(batch: Batch, scorer: Waiting, { jobMs, turnMs }: Turn, budget: Budget): boolean {
  const { compiled, jobs } = scorer;
  const startMs = processorMs();
  for (let at = jobs[0]; at !== undefined; at = jobs[0]) {
    const limitMs = Math.min(jobMs, budget.leftAtMostMs());
    if (limitMs <= 0 || processorMs() - startMs > turnMs) return false;
    if (!isScored(batch, at, compiled, limitMs)) {
      scorer.triedMs = Math.max(scorer.triedMs, limitMs);
      return false;
    }
    jobs.shift();
    scorer.triedMs = 0;
  }
  return true;
}

function isScored(batch: Batch, at: number, compiled: CompiledScorer, limitMs: number): boolean {
  batch.clockMs = batch.now();
  if (finishesWithin(limitMs, () => scoreJob(batch, at), compiled.reset)) return true;
  compiled.reset();
  // The interrupt may have struck when the outcome was stored.
  return batch.outcomes[at] !== undefined;
}

/** A schema may have been interrupted while it compiled, so that less than its limit says nothing. */
function isAtFault(batch: Batch, { guard, triedMs }: Waiting): boolean {
  return triedMs >= (guard.compileMs === undefined ? Math.min(guard.limitMs, fairMs(batch)) : guard.limitMs);
}

function fail(batch: Batch, scorer: Waiting): void {
  const failure = erroredOutcome(isAtFault(batch, scorer) ? scorer.guard.timeout : RUN_TIMEOUT);
  for (const at of scorer.jobs) batch.outcomes[at] ??= failure;
}
