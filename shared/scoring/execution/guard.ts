import { type Context, createContext, Script } from 'node:vm';

interface Box {
  work: () => void;
}

let compartment: { box: Box; context: Context; call: Script } | undefined;

/** A Lambda function of 256 MB has a seventh of a processor: a hundred milliseconds of work take it 700. */
const PATIENT = [6, 2] as const;
/** So that many jobs, each in vain, cost a run no more than three times their limits. */
const BRIEF = [3, 1] as const;
/** The watchdog and the clock of the thread don't agree to the millisecond. */
const USED_UP = 0.9;
const CLOCKS_DIFFER_MS = 1;

/** Starved: the work did not get the processor for as long as its limit allows. */
type Ended = 'finished' | 'used_up' | 'starved';

/**
 * Runs `work` under a limit of processor time, so that no verdict depends on the machine's load. V8's watchdog measures
 * elapsed time: if the work got too little of the processor, it starts again, after `beginAnew`, each time with twice the
 * time of the last where it is patient.
 */
export function runWithin(limitMs: number, work: () => void, isPatient = true, beginAnew = idle): Ended {
  const [attempts, growth] = isPatient ? PATIENT : BRIEF;
  for (let attempt = 0; ; attempt++) {
    const startMs = processorMs();
    if (runFor(limitMs * growth ** attempt, work)) return 'finished';
    if (processorMs() - startMs >= limitMs * USED_UP - CLOCKS_DIFFER_MS) return 'used_up';
    if (attempt + 1 === attempts) return 'starved';
    beginAnew();
  }
}

/** False if the work reaches its limit. */
export const finishesWithin = (limitMs: number, work: () => void, beginAnew = idle): boolean =>
  runWithin(limitMs, work, true, beginAnew) === 'finished';

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
