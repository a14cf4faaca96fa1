import type { Organisation } from '../../contracts/auth.ts';
import type { Ambient } from '../ports.ts';
import { MINUTE_MS, timestamp } from '../time.ts';
import type { OrganisationPurge, OrganisationPurgeStore } from './ports.ts';

/** By then every function has ended that knew a credential, or an event of the payment provider. */
const FUNCTIONS_ENDED_AFTER_MS = 60 * MINUTE_MS;

export interface OrganisationPurgeDeps extends Pick<Ambient, 'now'> {
  /** Its customer pays no more. May be repeated. */
  readonly endBilling: (orgId: string) => Promise<void>;
  readonly findOrganisation: (orgId: string) => Promise<Organisation | undefined>;
  /** Called when nothing is left. */
  readonly onDeleted: (orgId: string) => void;
}

interface Deps extends OrganisationPurgeDeps {
  readonly organisations: OrganisationPurgeStore;
  readonly hasTime: () => boolean;
}

/**
 * Within the days of grace it sees to it that all keys know of the deletion, or that it was taken back. After them it ends
 * billing, then credentials, and an hour later drops everything. False where time ran out.
 */
export async function purgeOrganisation(deps: Deps, purge: OrganisationPurge): Promise<boolean> {
  const { organisations, hasTime, onDeleted } = deps;
  const { orgId } = purge;
  if (!purge.isClosed) {
    await closeOrganisation(deps, purge);
    return true;
  }
  if (!(await organisations.dropAll(orgId, hasTime))) return false;
  await organisations.finish(purge);
  onDeleted(orgId);
  return true;
}

async function closeOrganisation(deps: Deps, purge: OrganisationPurge): Promise<void> {
  const { organisations, now, findOrganisation, endBilling } = deps;
  const { orgId } = purge;
  const organisation = await findOrganisation(orgId);
  if (organisation !== undefined) {
    const { deletes_at } = organisation;
    const isDue = deletes_at !== undefined && Date.parse(deletes_at) <= now();
    if (!isDue) {
      await organisations.markKeys(orgId, deletes_at);
      if (deletes_at === undefined) return organisations.finish(purge);
      return organisations.save({ ...purge, nextAtMs: Date.parse(deletes_at) });
    }
    // Taken back at this moment: the next invocation looks again.
    if (!(await organisations.close(orgId, timestamp(now())))) return;
  }
  await endBilling(orgId);
  await organisations.endAccess(orgId);
  await organisations.save({ ...purge, isClosed: true, nextAtMs: now() + FUNCTIONS_ENDED_AFTER_MS });
}
