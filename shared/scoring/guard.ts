import { type Context, createContext, Script } from 'node:vm';

interface Box {
  work: () => void;
}

let compartment: { box: Box; context: Context; call: Script } | undefined;

/**
 * Runs `work` under V8's watchdog, the one thing that stops a hostile pattern or schema in the middle. Returns
 * false when it was interrupted; no `finally` or `catch` of the work has run then. What the work throws is
 * thrown on. One call costs about 0.15 ms, a watchdog thread, so callers do many things in one call.
 */
export function runWithin(limitMs: number, work: () => void): boolean {
  compartment ??= openCompartment();
  compartment.box.work = work;
  try {
    compartment.call.runInContext(compartment.context, { timeout: Math.max(1, Math.ceil(limitMs)) });
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

/** The stack ended. By name, since the error may come from another realm. */
export function isRangeError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === 'RangeError';
}

export function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error);
}
