import type { ChangeEntry } from '../../contracts/history/history.ts';
import { requireScope } from '../access.ts';
import { notFound } from '../errors.ts';
import type { Principal } from '../principal.ts';
import { liveSuiteInForce, projectOpen } from '../suites/access/live.ts';
import { type Revisions, suiteChain } from '../suites/chains/chains.ts';
import type { ProjectReader, SuiteReader } from '../suites/ports.ts';

interface Deps {
  readonly projects: ProjectReader;
  readonly suites: SuiteReader;
  readonly chains: Revisions;
}

/** Also one that was deleted, as long as its revisions are stored. */
export async function suiteWithHistory(deps: Deps, principal: Principal, suiteId: string) {
  const deleted = await deps.suites.deleted(principal.orgId, suiteId);
  if (deleted === undefined)
    return { ...(await liveSuiteInForce(deps, principal, suiteId, 'full')), deletion: [] };
  const { head, at: deletedAt, by } = deleted;
  const place = { project_id: head.projectId, project_slug: head.projectSlug };
  const project = await projectOpen(deps, principal, place);
  const chain = suiteChain(principal.orgId, head);
  const [revision] = await deps.chains.cases.revisions([{ chain, at: head.position }]);
  if (project === undefined || revision === undefined) throw notFound('suite');
  requireScope(principal, 'full');
  const { id, slug: key, name } = revision.fields.suite;
  const target = { type: 'suite', id, key, name } as const;
  const deletion: ChangeEntry[] = [{ id, at: deletedAt, by, action: 'deleted', target, changes: {} }];
  return { head, revision, project, deletion };
}
