import type { Provider } from '../../byok/providers.ts';
import type { ChunkMessage } from '../../messages.ts';
import type { EvaluateDeps } from '../deps.ts';
import {
  CHUNK_TAKES_CASES_MS,
  CHUNKS_AT_ONCE_MAX,
  NEXT_FIRST_MS,
  NEXT_MS_MAX,
  NEXT_SOON_MS,
} from '../limits.ts';
import type { Seat } from './seats.ts';

export interface SeatedWork {
  readonly orgId: string;
  readonly providers: readonly Provider[];
  /** Undefined for a chunk that has waited for one as long as it may: no call is made. */
  readonly seat: Seat | undefined;
  readonly startedAtMs: number;
  /** Whether chunks that wait may be evaluated along with it. False for a chunk that was tried before: what may end its evaluator is to end no other chunk. */
  sharesEvaluator: boolean;
}

/**
 * Does the work, and with the slots that it leaves the chunks that wait for a seat, the oldest run first. So two
 * evaluators use all slots, however small the chunks are. The first failure is thrown after all have ended.
 */
export async function withNextChunks(
  deps: EvaluateDeps,
  at: SeatedWork,
  work: () => Promise<void>,
  evaluateNext: (message: ChunkMessage) => Promise<void>,
): Promise<void> {
  const { waitingChunks, now, sleep } = deps;
  const working = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const begin = (task: () => Promise<void>): void => {
    const done = task()
      .catch((error: unknown) => void failures.push(error))
      .finally(() => working.delete(done));
    working.add(done);
  };
  const mayTake = (): boolean =>
    at.sharesEvaluator &&
    failures.length === 0 &&
    working.size < CHUNKS_AT_ONCE_MAX &&
    now() - at.startedAtMs < CHUNK_TAKES_CASES_MS &&
    at.providers.every((provider) => deps.withSlot.hasSpare(at.orgId, provider));
  begin(work);
  for (let waitMs = NEXT_FIRST_MS; working.size > 0; ) {
    const looks = new AbortController();
    await Promise.race([...working, sleep(waitMs, looks.signal)]);
    looks.abort();
    if (!mayTake()) continue;
    const next = await waitingChunks.takeOldest(at.orgId, at.providers).catch(() => undefined);
    waitMs = next === undefined ? Math.min(2 * waitMs, NEXT_MS_MAX) : NEXT_SOON_MS;
    if (next !== undefined) begin(() => evaluateNext(next));
  }
  if (failures.length > 0) throw failures[0];
}
