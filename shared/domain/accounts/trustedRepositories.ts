import type { PageQuery } from '../../contracts/common.ts';
import type { TrustedRepository } from '../../contracts/trustedRepositories.ts';
import { liveProjectHead, organisationOf } from '../access.ts';
import { invalidField, notFound } from '../errors.ts';
import type { Ambient, Page, Principal, ProjectStore } from '../ports.ts';
import { timestamp } from '../time.ts';
import type { TrustStore } from './jobs.ts';

const REGISTRATIONS_MAX = 100;
const WHAT = 'trusted repository';

export interface TrustedRepositoryStore extends TrustStore {
  /** False when the organisation has as many as it may. */
  create(orgId: string, registration: TrustedRepository, limit: number): Promise<boolean>;
  /** False when it was gone already. */
  delete(orgId: string, id: string): Promise<boolean>;
}

interface Deps extends Ambient {
  readonly trust: TrustedRepositoryStore;
  readonly projects: ProjectStore;
}

interface NewRegistration extends Pick<TrustedRepository, 'repository' | 'ref' | 'environment' | 'workflow'> {
  readonly project?: string | undefined;
}

export async function trustRepository(
  deps: Deps,
  principal: Principal,
  { project, repository, ref, environment, workflow }: NewRegistration,
): Promise<TrustedRepository> {
  const orgId = organisationOf(principal, WHAT);
  const registration: TrustedRepository = {
    id: deps.newId(),
    repository,
    ref,
    environment,
    workflow,
    project_id: project === undefined ? null : (await liveProjectHead(deps, principal, project)).id,
    repository_id: null,
    repository_owner_id: null,
    last_used_at: null,
    created_at: timestamp(deps.now()),
  };
  if (!(await deps.trust.create(orgId, registration, REGISTRATIONS_MAX))) {
    throw invalidField('repository', `an organisation trusts at most ${REGISTRATIONS_MAX}: remove one first`);
  }
  return registration;
}

export async function listTrustedRepositories(
  { trust }: Pick<Deps, 'trust'>,
  principal: Principal,
  { page, pageSize }: PageQuery,
): Promise<Page<TrustedRepository>> {
  const all = await trust.list(organisationOf(principal, WHAT));
  return { items: all.slice((page - 1) * pageSize, page * pageSize), total: all.length };
}

/** Its jobs get no more tokens, and those they have end at once. */
export async function distrustRepository(
  { trust }: Pick<Deps, 'trust'>,
  principal: Principal,
  id: string,
): Promise<void> {
  if (!(await trust.delete(organisationOf(principal, WHAT), id))) throw notFound(WHAT);
}
