const BEAT_MS = 30_000;
/** 15 minutes: no function runs longer, and what hangs must not seem alive for ever. */
const BEATS_MAX = 30;

/** Waits; no longer than until the signal, and without keeping a process alive for it. */
export type Sleep = (ms: number, until?: AbortSignal) => Promise<void>;

/** Says every 30 s that the work is under way. A beat that fails is made up for by the next. */
export async function withHeartbeat<T>(
  sleep: Sleep,
  beat: () => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const keepBeating = async (): Promise<void> => {
    for (let beats = 0; beats < BEATS_MAX; beats++) {
      await sleep(BEAT_MS, over.signal);
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
