import { organisationOf } from '../access.ts';
import { logged } from '../changes/log.ts';
import { invalidField, notFound } from '../errors.ts';
import type { Ambient } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { DAY_MS, timestamp } from '../time.ts';
import { requireApiKey } from './keys.ts';
import type { AccountStore, DeletionStore } from './ports.ts';

/** In which a deletion can be taken back. */
const GRACE_MS = 7 * DAY_MS;
const WHAT = 'organisation';

interface Deps extends Pick<Ambient, 'now'> {
  readonly accounts: Pick<AccountStore, 'organisation'>;
  readonly deletions: DeletionStore;
}

/** When the organisation goes. A deletion that is begun already keeps its time. */
export async function deleteOrganisation(
  deps: Deps,
  principal: Principal,
  named: string,
): Promise<{ readonly deletes_at: string }> {
  const organisation = await callersOrganisation(deps, principal);
  requireApiKey(principal);
  const { id, name } = organisation;
  if (named !== name && named !== id) {
    throw invalidField('organisation', `must be the name of this organisation, "${name}", or its id, ${id}`);
  }
  const deletesAt = timestamp(deps.now() + GRACE_MS);
  const begun = await deps.deletions.begin(id, deletesAt, changeOf(deps, principal, organisation, 'deleted'));
  if (begun === undefined) throw notFound(WHAT);
  return { deletes_at: begun };
}

/** Without effect on an organisation that is not being deleted. */
export async function restoreOrganisation(deps: Deps, principal: Principal): Promise<void> {
  const organisation = await callersOrganisation(deps, principal);
  const change = changeOf(deps, principal, organisation, 'restored');
  if (!(await deps.deletions.takeBack(organisation.id, change))) throw notFound(WHAT);
}

async function callersOrganisation({ accounts }: Deps, principal: Principal) {
  const organisation = await accounts.organisation(organisationOf(principal, WHAT));
  if (organisation === undefined) throw notFound(WHAT);
  return organisation;
}

const changeOf = (
  { now }: Deps,
  principal: Principal,
  { id, name }: { readonly id: string; readonly name: string },
  action: 'deleted' | 'restored',
) => logged(principal, now(), { projectId: null, action, target: { type: 'organisation', id, name } });
