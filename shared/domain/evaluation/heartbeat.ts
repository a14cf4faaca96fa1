import { HEARTBEAT_MS, HEARTBEATS_MAX } from './limits.ts';

/** Waits until the time is over or the signal comes, and does not keep the process alive. */
export type Sleep = (ms: number, until?: AbortSignal) => Promise<void>;

/** Calls `beat` every 30 s while the work is under way, and at most for the time of an invocation: hanging work must not keep its claim. */
export async function withHeartbeat<T>(
  sleep: Sleep,
  beat: () => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const keepBeating = async (): Promise<void> => {
    for (let beats = 0; beats < HEARTBEATS_MAX; beats++) {
      await sleep(HEARTBEAT_MS, over.signal);
      if (over.signal.aborted) return;
      await beat().catch(() => undefined);
    }
  };
  void keepBeating();
  try {
    return await work();
  } finally {
    over.abort();
  }
}
