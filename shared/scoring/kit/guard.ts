import { type Context, createContext, Script } from 'node:vm';

interface Box {
  work: () => void;
}

let compartment: { box: Box; context: Context; call: Script } | undefined;

/** A Lambda function of 256 MB has a seventh of a processor: a hundred milliseconds of work take it 700. */
const PATIENCE_MAX = 32;
/** The watchdog and the clock of the thread don't agree to the millisecond; of a short limit, it may strike a third early. */
const USED_UP = 0.9;
const CLOCKS_DIFFER_MS = 1;
const USED_UP_MIN = 0.7;

/** Whether interrupted work had its limit. */
export const isUsedUp = (limitMs: number, tookMs: number): boolean =>
  tookMs >= Math.max(limitMs * USED_UP - CLOCKS_DIFFER_MS, limitMs * USED_UP_MIN);

/**
 * Runs `work` under a limit of processor time, so that no verdict depends on the machine's load. V8's watchdog measures
 * elapsed time: if the work got too little of the processor, it starts again with twice the time, after `beginAnew`.
 * False if the work reaches its limit, or all of its beginnings `mostMs`.
 */
export function finishesWithin(
  limitMs: number,
  work: () => void,
  { beginAnew = idle, mostMs = Number.POSITIVE_INFINITY }: Patience = {},
): boolean {
  const firstMs = processorMs();
  for (let patience = 1; ; patience *= 2) {
    const startMs = processorMs();
    if (runFor(limitMs * patience, work)) return true;
    const endMs = processorMs();
    const hadItsTime = isUsedUp(limitMs, endMs - startMs) || endMs - firstMs >= mostMs;
    if (hadItsTime || patience >= PATIENCE_MAX) return false;
    beginAnew();
  }
}

interface Patience {
  readonly beginAnew?: () => void;
  /** Of processor time. */
  readonly mostMs?: number;
}

/** What measures work and interrupts it. Limits of scoring are tested with a processor that does no work. */
export interface Processor {
  readonly ms: () => number;
  readonly finishesWithin: (limitMs: number, work: () => void, patience?: Patience) => boolean;
}

export const THIS_PROCESSOR: Processor = { ms: processorMs, finishesWithin };

/** The processor time of this thread so far, in milliseconds. */
export function processorMs(): number {
  // Linux counts a running thread's time by ticks of 4 ms; asked for the process's, it first counts up to now.
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/**
 * Runs `work` for so long under V8's watchdog, the only way to stop a hostile pattern or schema in the middle. False if
 * it was interrupted; no `finally` or `catch` of the work has run then. Errors of the work are thrown on.
 * One call costs about 0.15 ms for a watchdog thread, so callers run much work in one call.
 */
function runFor(passingMs: number, work: () => void): boolean {
  compartment ??= openCompartment();
  compartment.box.work = work;
  try {
    compartment.call.runInContext(compartment.context, { timeout: Math.max(1, Math.ceil(passingMs)) });
    return true;
  } catch (error) {
    if (hasCode(error, 'ERR_SCRIPT_EXECUTION_TIMEOUT')) return false;
    throw error;
  } finally {
    compartment.box.work = idle;
  }
}

function openCompartment() {
  const box: Box = { work: idle };
  return { box, context: createContext(box), call: new Script('work()') };
}

function idle(): void {}

function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}

/** True for a stack overflow. By name, since the error may come from another realm. */
export function isRangeError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === 'RangeError';
}

export function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error);
}
