import type { CompiledScorer, Guard } from '../definition.ts';
import { erroredOutcome, RUN_TIMEOUT } from '../errors.ts';
import { Expected } from '../reading/expected.ts';
import { Subject } from '../reading/subject.ts';
import type { Budget } from './budget.ts';
import { finishesWithin, processorMs } from './guard.ts';
import { type Batch, openBatch, scoreJob } from './job.ts';

/** A scorer that does not end in this time is at fault. If it got less, the run has too many scorers. */
const FAIR_MS = 5;
const FAIR_PER_MEGABYTE_MS = 40;
/** The share of it that a scorer gets in the first round, so that quick scorers wait little for endless ones. */
const FIRST_SHARE = 2 / 5;
/** An interrupt itself costs time, on some machines half as much as a first turn: twice that turn leaves time for a second. */
const FIRST_ROUND_SLACK = 2;
/** An interrupted job starts again: all rounds before the last take at most a third of its time. */
const GROWTH = 4;
/** Of a fair time: enough for a quick scorer that was interrupted because something else took its turn's time. */
const AGAIN_SHARE = 1 / 5;
/** For the first use of code that a type's scorers share. */
const WARM_UP_MS = 20;

/** A scorer with jobs that are not done, in their order. */
interface Waiting {
  readonly compiled: CompiledScorer;
  readonly guard: Guard;
  readonly jobs: number[];
  /** The longest time in which the first of its jobs did not end. */
  triedMs: number;
}

/**
 * Scores jobs one by one, each with its own limit, in rounds. A job that does not end waits until all other scorers had
 * their turn, and then gets four times as much, up to its scorer's limit. So a quick job is scored in every run. The
 * turns alternate between types, so that hundreds of long scorers of one type do not delay the others. A quick scorer
 * may be interrupted, too, because the machine worked on something else: where the next round would not reach all, the
 * last ones get a brief turn before it. Beyond the run's budget, only scorers that are not at fault yet go on.
 */
export function scoreEachAlone(batch: Batch, unfinished: readonly number[], budget: Budget): void {
  let waiting = alternatingTypes(waitingScorers(batch, unfinished));
  warmUp(batch, waiting);
  // If the time does not last for more than the first round, each scorer that gets a turn gets its full time.
  const areTooMany = budget.leftAtMostMs() / waiting.length < fairMs(batch) * FIRST_SHARE * FIRST_ROUND_SLACK;
  let share = areTooMany ? 1 : FIRST_SHARE;
  for (; waiting.length > 0 && budget.leftAtMostMs() > 0; share *= GROWTH) {
    const equalMs = budget.leftMs() / waiting.length;
    const turnMs = budget.leftAtMostMs() / (2 * waiting.length);
    waiting = waiting.filter((scorer) => {
      const { limitMs, compileMs = 0, sharedPerMegabyteMs = 0 } = scorer.guard;
      const onceMs = compileMs * Math.max(1, share) + sharedPerMegabyteMs * batch.megabytes;
      const shareMs = onceMs + fairMs(batch) * share;
      const jobMs = Math.min(limitMs, Math.max(shareMs, equalMs));
      // It will not end in little more time.
      const isInVain = jobMs < limitMs && jobMs < scorer.triedMs * 2;
      if (!isInVain && takeTurn(batch, scorer, { jobMs, turnMs }, budget)) return false;
      if (scorer.triedMs < limitMs && (budget.leftMs() > 0 || !isAtFault(batch, scorer))) return true;
      fail(batch, scorer);
      return false;
    });
    waiting = tryAgainBriefly(batch, waiting, share * GROWTH, budget);
  }
  for (const scorer of waiting) fail(batch, scorer);
}

/** Those that are still not done. From the last one on, which the next round reaches last: it keeps a third of the time. */
function tryAgainBriefly(batch: Batch, waiting: Waiting[], nextShare: number, budget: Budget): Waiting[] {
  const jobMs = fairMs(batch) * AGAIN_SHARE;
  const leftMs = budget.leftAtMostMs();
  if (waiting.length * fairMs(batch) * nextShare <= leftMs) return waiting;
  const ends = (scorer: Waiting): boolean =>
    budget.leftAtMostMs() > leftMs / 3 && takeTurn(batch, scorer, { jobMs, turnMs: jobMs }, budget);
  return waiting
    .toReversed()
    .filter((scorer) => !ends(scorer))
    .reverse();
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

function alternatingTypes(waiting: readonly Waiting[]): Waiting[] {
  const types = [...Map.groupBy(waiting, typeOf).values()];
  const longest = Math.max(0, ...types.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => types.flatMap((scorers) => scorers[at] ?? [])).flat();
}

/** Each type of scorer has a timeout of its own. */
const typeOf = ({ guard }: Waiting) => guard.timeout;

/**
 * Scores the empty text once by each type of scorer. Where all scorers so far were interrupted, V8 has not compiled yet
 * what comes after a match, and that would take a fifth of the first turn of the first one that ends.
 */
function warmUp({ now }: Batch, waiting: readonly Waiting[]): void {
  const oneOfEach = new Map(waiting.map((scorer) => [typeOf(scorer), scorer.compiled]));
  for (const compiled of oneOfEach.values()) {
    const job = { compiled, expected: new Expected(null), fixed: null, subject: new Subject('') };
    const apart = openBatch([job], now);
    if (!finishesWithin(WARM_UP_MS, () => scoreJob(apart, 0), { beginAnew: compiled.reset }))
      compiled.reset();
  }
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
  if (finishesWithin(limitMs, () => scoreJob(batch, at), { beginAnew: compiled.reset })) return true;
  compiled.reset();
  // The interrupt may have struck when the outcome was stored.
  return batch.outcomes[at] !== undefined;
}

/** What is done once may have been interrupted: such a scorer is at fault only at its limit. */
function isAtFault(batch: Batch, { guard, triedMs }: Waiting): boolean {
  const { limitMs, compileMs, sharedPerMegabyteMs } = guard;
  const doesOnce = compileMs !== undefined || sharedPerMegabyteMs !== undefined;
  return triedMs >= (doesOnce ? limitMs : Math.min(limitMs, fairMs(batch)));
}

function fail(batch: Batch, scorer: Waiting): void {
  const failure = erroredOutcome(isAtFault(batch, scorer) ? scorer.guard.timeout : RUN_TIMEOUT);
  for (const at of scorer.jobs) batch.outcomes[at] ??= failure;
}
