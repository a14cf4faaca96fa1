import type { Ambient } from '../ports.ts';
import { DAY_MS } from '../time.ts';
import type { Purge, PurgeStore } from './ports.ts';

const ITEMS_PER_STEP = 100;
/** Well within the time of its function. The next invocation goes on. */
const WORK_MS = 120_000;
/** By then every run that was pending has ended, and what its evaluators left has expired. */
const RUNS_ENDED_AFTER_MS = 3 * DAY_MS;

export interface PurgeDeps extends Pick<Ambient, 'now'> {
  readonly purges: PurgeStore;
  /** Called with a purge that failed. The next invocation goes on with it. */
  readonly onFailure: (error: unknown, purge: Purge) => void;
}

/** Gives items under deleted heads their time to live, in repeatable steps. Returns how many steps. */
export async function purgeDeleted({ purges, now, onFailure }: PurgeDeps): Promise<number> {
  const startedAtMs = now();
  let steps = 0;
  let open = await purges.due(startedAtMs);
  // In turn, so that a large project does not delay the others.
  while (open.length > 0) {
    const going: Purge[] = [];
    for (const purge of open) {
      if (now() - startedAtMs >= WORK_MS) return steps;
      try {
        const next = await takeStep({ purges, now }, purge);
        if (next !== undefined) going.push(next);
        steps++;
      } catch (error) {
        onFailure(error, purge);
      }
    }
    open = going;
  }
  return steps;
}

async function takeStep(
  { purges, now }: Pick<PurgeDeps, 'purges' | 'now'>,
  purge: Purge,
): Promise<Purge | undefined> {
  const position = purge.position ?? { fromMs: now(), at: null, left: false };
  const endedAtMs = Date.parse(purge.deletedAt) + RUNS_ENDED_AFTER_MS;
  // Only a project can have pending runs. No case is written after the deletion of its suite.
  const isLast = purge.kind !== 'project' || position.fromMs >= endedAtMs;
  const reached = await purges.expire(purge, position, { limit: ITEMS_PER_STEP, isLast });
  if (reached.at !== null) {
    const next = { ...purge, position: reached };
    return (await purges.save(next)) ? next : undefined;
  }
  const isComplete = isLast && (purge.kind !== 'project' || !reached.left);
  if (isComplete) await purges.finish(purge);
  else await purges.save({ ...purge, position: null, nextAtMs: Math.max(endedAtMs, now() + DAY_MS) });
  return undefined;
}
