import { setTimeout } from 'node:timers/promises';

/** With a signal, it ends early at the signal and does not keep the process alive. */
export async function sleep(ms: number, until?: AbortSignal): Promise<void> {
  if (until === undefined) return setTimeout(ms);
  await setTimeout(ms, undefined, { signal: until, ref: false }).catch(() => undefined);
}
