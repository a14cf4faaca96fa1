import type { Provider } from '../../byok/providers.ts';
import type { ChunkMessage } from '../../messages.ts';
import type { EvaluateDeps } from '../deps.ts';
import {
  CHUNK_TAKES_CASES_MS,
  CHUNKS_AT_ONCE_MAX,
  LOOKS_MAX,
  NEXT_FIRST_MS,
  NEXT_MS_MAX,
  NEXT_SOON_MS,
} from '../limits.ts';
import type { Seat } from './seats.ts';

export interface SeatedWork {
  readonly orgId: string;
  /** The seat is at the first of them. */
  readonly providers: readonly Provider[];
  /** Undefined for a chunk that has waited for one as long as it may: no call is made. */
  readonly seat: Seat | undefined;
  readonly startedAtMs: number;
}

/** The chunks that an evaluator evaluates at the same time. */
export interface Company {
  /** False beside a chunk that was tried before: what may end its evaluator is to end no other chunk. */
  takesMore: boolean;
}

export interface SeatedTasks {
  /** Where the seat is. */
  readonly provider: Provider;
  readonly company: Company;
  readonly work: () => Promise<void>;
  readonly next: (message: ChunkMessage) => Promise<void>;
}

/**
 * Does the work, and with the slots that it leaves the chunks that wait for a seat, the oldest run first. So two
 * evaluators use all slots, however small the chunks are. Where the oldest was tried before, none is taken: the
 * evaluator soon gives its seat to that. The first failure is thrown after all have ended.
 */
export async function withNextChunks(
  deps: EvaluateDeps,
  at: SeatedWork,
  { provider, company, work, next }: SeatedTasks,
): Promise<void> {
  const { now, sleep } = deps;
  const working = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const begin = (task: () => Promise<void>): void => {
    const done = task()
      .catch((error: unknown) => void failures.push(error))
      .finally(() => working.delete(done));
    working.add(done);
  };
  const mayTake = (): boolean =>
    company.takesMore &&
    failures.length === 0 &&
    working.size < CHUNKS_AT_ONCE_MAX &&
    now() - at.startedAtMs < CHUNK_TAKES_CASES_MS &&
    deps.withSlot.hasSpare(at.orgId, provider);
  begin(work);
  for (let waitMs = NEXT_FIRST_MS; working.size > 0; ) {
    const looks = new AbortController();
    await Promise.race([...working, sleep(waitMs, looks.signal)]);
    looks.abort();
    if (!mayTake()) continue;
    const taken = await takeOldest(deps, at.orgId, provider).catch(() => undefined);
    waitMs = taken === undefined ? Math.min(2 * waitMs, NEXT_MS_MAX) : NEXT_SOON_MS;
    if (taken !== undefined) begin(() => next(taken));
  }
  if (failures.length > 0) throw failures[0];
}

/** Another evaluator may take the oldest at the same moment: then the next one is the oldest. */
async function takeOldest(
  { waitingChunks }: EvaluateDeps,
  orgId: string,
  provider: Provider,
): Promise<ChunkMessage | undefined> {
  for (let look = 0; look < LOOKS_MAX; look++) {
    const oldest = await waitingChunks.oldest(orgId, provider);
    if (oldest === undefined || oldest.isTried) return undefined;
    if (await waitingChunks.take(oldest, provider)) return oldest.message;
  }
  return undefined;
}
