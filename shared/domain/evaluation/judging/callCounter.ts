import { ChunkLost } from '../chunkLost.ts';
import type { ChunkClaimStore } from '../ports.ts';
import type { CallCheck } from '../slots/ports.ts';

/** Counts calls for the cases with these places in a chunk; false for a case whose calls are used up. */
type Count = (caseIndexes: readonly number[]) => Promise<ReadonlyMap<number, boolean>>;

interface Gathered {
  readonly caseIndexes: number[];
  readonly counted: Promise<ReadonlyMap<number, boolean>>;
}

/**
 * Counts every call in the table before it is made. Calls that begin together, or while another count is written, are
 * counted in one write.
 */
export function createCallCounter(count: Count): (caseIndex: number) => CallCheck {
  let gathered: Gathered | undefined;
  let lastWrite: Promise<unknown> = Promise.resolve();

  function gather(): Gathered {
    const caseIndexes: number[] = [];
    const counted = lastWrite.then(() => {
      gathered = undefined;
      return count(caseIndexes);
    });
    lastWrite = counted.catch(() => undefined);
    return { caseIndexes, counted };
  }

  return (caseIndex) => async () => {
    // One write counts one call of a case.
    while (gathered?.caseIndexes.includes(caseIndex)) await gathered.counted.catch(() => undefined);
    gathered ??= gather();
    const { caseIndexes, counted } = gathered;
    caseIndexes.push(caseIndex);
    return (await counted).get(caseIndex) === true ? undefined : 'calls_exhausted';
  };
}

/** Where the calls of one case are used up, each is counted by itself. */
export const countIn =
  (begin: (caseIndexes: readonly number[]) => ReturnType<ChunkClaimStore['beginCalls']>): Count =>
  async (caseIndexes) => {
    const together = await beginKept(begin, caseIndexes);
    if (together || caseIndexes.length === 1) return new Map(caseIndexes.map((index) => [index, together]));
    const alone = new Map<number, boolean>();
    for (const index of caseIndexes) alone.set(index, await beginKept(begin, [index]));
    return alone;
  };

async function beginKept(
  begin: Parameters<typeof countIn>[0],
  caseIndexes: readonly number[],
): Promise<boolean> {
  const begun = await begin(caseIndexes);
  if (begun === 'lost') throw new ChunkLost();
  return begun === 'begun';
}
