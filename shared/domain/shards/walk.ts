import { MINUTE_MS } from '../time.ts';
import type { Page, PositionStore } from './ports.ts';

const SAVE_EVERY_MS = MINUTE_MS;

export interface Walk<T> {
  readonly name: string;
  readonly page: (after: string | null) => Promise<Page<T>>;
  readonly act: (items: readonly T[]) => Promise<void>;
  /** The walk ends with the page under way when it has taken so long. */
  readonly workMs: number;
}

/**
 * Takes a list page by page, so that memory holds one page however long the list is. A walk that its time ended, or
 * that died, is gone on with by the next one, so that the end of the list is reached; then it begins again.
 */
export async function walkShard<T>(
  { positions, now }: { readonly positions: PositionStore; readonly now: () => number },
  { name, page, act, workMs }: Walk<T>,
): Promise<void> {
  const startedAtMs = now();
  let readPage = await page(null);
  // Most lists have one page, and need no position.
  if (readPage.last === null) return act(readPage.items);
  let saved = await positions.at(name);
  let savedAtMs = startedAtMs;
  if (saved !== null) readPage = await page(saved);
  for (;;) {
    await act(readPage.items);
    const { last } = readPage;
    if (last === null) break;
    const isOver = now() - startedAtMs >= workMs;
    if (isOver || now() - savedAtMs >= SAVE_EVERY_MS) {
      await positions.save(name, last);
      saved = last;
      savedAtMs = now();
    }
    if (isOver) return;
    readPage = await page(last);
  }
  if (saved !== null) await positions.save(name, null);
}
