import { purgeDeleted } from './deleted.ts';
import type { Kept } from './kept.ts';
import { type OrganisationPurgeDeps, purgeOrganisation } from './organisation.ts';
import type { Purge, PurgeStore } from './ports.ts';
import { purgeTexts } from './texts.ts';

/** Well within the time of its function. The next invocation goes on. */
const WORK_MS = 120_000;
/** In turn, so that a large project does not delay the others. */
const TURN_MS = 10_000;

export interface PurgeDeps extends Kept, OrganisationPurgeDeps {
  readonly purges: PurgeStore;
  /** Called with a purge that failed. The next invocation goes on with it. */
  readonly onFailure: (error: unknown, purge: Purge) => void;
}

/** Drops what nothing needs any more, in repeatable steps. Returns how many. */
export async function purgeAll(deps: PurgeDeps): Promise<number> {
  const { purges, now, onFailure } = deps;
  const startedAtMs = now();
  let turns = 0;
  let open = await purges.due(startedAtMs);
  while (open.length > 0) {
    const going: Purge[] = [];
    for (const purge of open) {
      if (now() - startedAtMs >= WORK_MS) return turns;
      turns++;
      try {
        if (!(await takeTurn(deps, purge))) going.push(purge);
      } catch (error) {
        onFailure(error, purge);
      }
    }
    open = going;
  }
  return turns;
}

/** False where it goes on. */
async function takeTurn({ purges, ...ambient }: PurgeDeps, purge: Purge): Promise<boolean> {
  const { now } = ambient;
  const endsAtMs = now() + TURN_MS;
  const deps = { ...purges, ...ambient, hasTime: () => now() < endsAtMs };
  if (purge.kind === 'organisation') return purgeOrganisation(deps, purge);
  if (purge.kind !== 'texts') return purgeDeleted(deps, purge);
  await purgeTexts(deps, purge);
  return true;
}
