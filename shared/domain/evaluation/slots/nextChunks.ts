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
}

/** A chunk that waited, at the seats that it needs. */
export interface NextChunk {
  readonly at: SeatedWork;
  readonly message: ChunkMessage;
}

/** The chunks that an evaluator evaluates at the same time. */
export interface Company {
  /** False beside a chunk that was tried before, and once such a chunk waits: it may end its evaluator. */
  takesMore: boolean;
  /** It was taken off the list, and needs an evaluator of its own. */
  tried?: ChunkMessage;
}

export interface SeatedTasks {
  readonly company: Company;
  readonly work: () => Promise<void>;
  readonly next: (next: NextChunk) => Promise<void>;
}

/**
 * Does the work, and with the slots that it leaves the chunks that wait for a seat, the oldest run first. So two
 * evaluators use all slots, however small the chunks are. Where the oldest can't be taken along, none is: the evaluator
 * soon gives its seat back. The first failure is thrown after all have ended.
 */
export async function withNextChunks(
  deps: EvaluateDeps,
  at: SeatedWork,
  { company, work, next }: SeatedTasks,
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
    at.providers.every((provider) => deps.withSlot.hasSpare(at.orgId, provider));
  begin(work);
  for (let waitMs = NEXT_FIRST_MS; working.size > 0; ) {
    const looks = new AbortController();
    await Promise.race([...working, sleep(waitMs, looks.signal)]);
    looks.abort();
    if (!mayTake()) continue;
    const taken = await takeOldest(deps, at).catch(() => undefined);
    waitMs = taken === undefined ? Math.min(2 * waitMs, NEXT_MS_MAX) : NEXT_SOON_MS;
    if (taken !== undefined) begin(() => next(taken).finally(() => taken.at.seat?.giveBack()));
  }
  if (failures.length > 0) throw failures[0];
}

/** It may need seats at other providers, too. */
async function takeOldest(
  { waitingChunks, seats }: EvaluateDeps,
  at: SeatedWork,
): Promise<NextChunk | undefined> {
  const oldest = await waitingChunks.oldest(at.orgId, at.providers);
  if (oldest === undefined) return undefined;
  const { message, providers } = oldest;
  const seat = await seats.take(at.orgId, providers);
  if (seat === undefined) return undefined;
  if (await waitingChunks.take(oldest).catch(() => false)) return { at: { ...at, providers, seat }, message };
  await seat.giveBack();
  return undefined;
}
