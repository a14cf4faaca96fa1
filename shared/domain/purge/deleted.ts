import { DELETED_KEPT_MS, type Kept, runsGoneAfterMs } from './kept.ts';
import type { DeletedPurge, DeletedStore } from './ports.ts';

interface DeletedDeps extends Kept {
  readonly deleted: DeletedStore;
  readonly hasTime: () => boolean;
}

/**
 * Drops a project 30 days after its deletion; of a suite then its texts, and the rest when its last run can have
 * expired. False where time ran out.
 */
export async function purgeDeleted(deps: DeletedDeps, purge: DeletedPurge): Promise<boolean> {
  const { deleted, now, hasTime } = deps;
  const deletedMs = Date.parse(purge.deletedAt);
  const keptMs = purge.kind === 'project' ? DELETED_KEPT_MS : await runsGoneAfterMs(deps, purge.orgId);
  // Nothing that lives is dropped, whatever a purge says.
  const isAlive = await deleted.isAlive(purge);
  const isAll = deletedMs + keptMs <= now();
  if (!isAlive && isAll && !(await deleted.dropAll(purge, hasTime))) return false;
  if (isAlive || isAll) await deleted.finish(purge);
  else if (!(await deleted.dropTexts(purge, hasTime))) return false;
  else await deleted.save({ ...purge, nextAtMs: deletedMs + keptMs });
  return true;
}
