import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../../shared/domain/errors.ts';

/** A body that is read in less than some 20 ms waits for no other. */
const SMALL_BYTES = 256 * 1_024;
/** Deflate makes at most so many bytes of one. */
const DEFLATE_RATIO_MAX = 1_032;
export const WAITING_MAX = 24;
export const WAITING_OF_ONE_MAX = 8;
/** A function has 30 s, of which reading a body and judging it take some. */
export const WAIT_MS_MAX = 15_000;
const RETRY_AFTER_SECONDS = 5;

/** Ends the turn. */
type EndTurn = () => void;

export interface LargeBodies {
  /** Of a body that is small: nothing. Of another one: waits until it may be unpacked and parsed. Throws a 429. */
  turnOf(body: Buffer, isPacked: boolean, credential: string): (() => Promise<EndTurn>) | undefined;
}

/**
 * All requests share this process, so that one large body after the other is unpacked and parsed. As much time as one took
 * belongs to all other requests before the next. On AWS each request has a function of its own.
 */
export function createLargeBodies(
  now = (): number => performance.now(),
  sleep: (ms: number) => Promise<void> = delay,
): LargeBodies {
  const waiting = new Map<string, number>();
  let [count, last] = [0, Promise.resolve()];

  async function take(credential: string): Promise<EndTurn> {
    const waitingCount = waiting.get(credential) ?? 0;
    if (count >= WAITING_MAX || waitingCount >= WAITING_OF_ONE_MAX) throw tooMany();
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    count++;
    waiting.set(credential, waitingCount + 1);
    const askedAt = now();
    await before;
    const startedAt = now();
    const end = (): void => {
      count--;
      const left = (waiting.get(credential) ?? 1) - 1;
      if (left > 0) waiting.set(credential, left);
      else waiting.delete(credential);
      void sleep(now() - startedAt).then(resolve);
    };
    if (startedAt - askedAt <= WAIT_MS_MAX) return end;
    end();
    throw tooMany();
  }

  return {
    turnOf(body, isPacked, credential) {
      const bytes = isPacked ? body.length * DEFLATE_RATIO_MAX : body.length;
      return bytes <= SMALL_BYTES ? undefined : () => take(credential);
    },
  };
}

const tooMany = (): AppError =>
  new AppError(
    'RATE_LIMITED',
    `Too many large bodies wait to be read (at most ${WAITING_OF_ONE_MAX} of a credential, ${WAITING_MAX} in all): send it again in ${RETRY_AFTER_SECONDS} s.`,
    { retry_after_seconds: RETRY_AFTER_SECONDS },
  );
