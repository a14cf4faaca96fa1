import type { PageQuery } from '../../contracts/base/common.ts';
import type { TrustedRepository } from '../../contracts/credentials/trustedRepositories.ts';
import { ofOrganisation, organisationOf } from '../access.ts';
import { fieldsOf, logged } from '../changes/log.ts';
import { invalidField, notFound } from '../errors.ts';
import { TRUSTED_REPOSITORIES_MAX } from '../limits.ts';
import { pageOf } from '../pageOf.ts';
import type { Ambient, Page } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { liveProjectHead } from '../suites/access/live.ts';
import type { ProjectStore } from '../suites/ports.ts';
import { timestamp } from '../time.ts';
import { requireApiKey } from './keys.ts';
import type { TrustedRepositoryStore } from './ports.ts';
import { isTwin } from './registrations.ts';

const WHAT = 'trusted repository';

interface Deps extends Ambient {
  readonly trust: TrustedRepositoryStore;
  readonly projects: ProjectStore;
}

interface NewRegistration
  extends Pick<
    TrustedRepository,
    'repository' | 'scope' | 'ref' | 'environment' | 'workflow' | 'job_workflow_ref'
  > {
  readonly project?: string | undefined;
}

export async function trustRepository(
  deps: Deps,
  principal: Principal,
  { project, ...conditions }: NewRegistration,
): Promise<TrustedRepository> {
  const orgId = organisationOf(principal, WHAT);
  requireApiKey(principal);
  const registration: TrustedRepository = {
    id: deps.newId(),
    ...conditions,
    project_id: project === undefined ? null : (await liveProjectHead(deps, principal, project)).id,
    repository_id: null,
    repository_owner_id: null,
    last_used_at: null,
    created_at: timestamp(deps.now()),
  };
  const admit = (present: readonly TrustedRepository[]): void => {
    if (present.some((other) => isTwin(other, registration))) {
      throw invalidField('repository', 'is trusted already, with the same scope, conditions and project');
    }
    if (present.length >= TRUSTED_REPOSITORIES_MAX) {
      throw invalidField(
        'repository',
        `an organisation trusts at most ${TRUSTED_REPOSITORIES_MAX}: delete one first`,
      );
    }
  };
  const log = logged(principal, deps.now(), trustLog(registration, 'created'));
  await deps.trust.create(orgId, registration, admit, log);
  return registration;
}

const CONDITIONS = ['scope', 'project_id', 'ref', 'environment', 'workflow', 'job_workflow_ref'] as const;

const trustLog = (trusted: TrustedRepository, action: 'created' | 'deleted') => ({
  projectId: trusted.project_id,
  action,
  target: { type: 'trusted_repository', id: trusted.id, name: trusted.repository } as const,
  changes: fieldsOf(CONDITIONS, trusted, action === 'created' ? 'made' : 'ended'),
});

export async function listTrustedRepositories(
  { trust }: Pick<Deps, 'trust'>,
  principal: Principal,
  query: PageQuery,
): Promise<Page<TrustedRepository>> {
  const all = await trust.list(organisationOf(principal, WHAT));
  return pageOf(all, query);
}

/** Its jobs get no more tokens, and the tokens they have are rejected at once. */
export async function distrustRepository(
  { trust, now }: Pick<Deps, 'trust' | 'now'>,
  principal: Principal,
  id: string,
): Promise<void> {
  const find = async (orgId: string) => (await trust.list(orgId)).find((trusted) => trusted.id === id);
  const trusted = await ofOrganisation(principal, WHAT, find);
  const log = logged(principal, now(), trustLog(trusted, 'deleted'));
  if (!(await trust.delete(principal.orgId, id, log))) throw notFound(WHAT);
}
