import type { Need } from '../../contracts/base/scopes.ts';
import type { Principal } from '../principal.ts';
import { liveSuite } from './access/live.ts';
import { type AtOneMoment, revisionsOf } from './chains/atOneMoment.ts';
import type { Revisions } from './chains/chains.ts';
import { SuiteRevision } from './chains/suiteRevision.ts';
import type { ProjectReader, SuiteReader } from './ports.ts';
import { headsOf } from './resolveSuite.ts';

export interface RevisionDeps {
  readonly projects: ProjectReader;
  readonly suites: SuiteReader;
  readonly chains: Revisions;
  readonly atOneMoment: AtOneMoment;
}

/** A suite with its scorers as a run of this moment would see it. */
export async function revisionInForce(
  deps: RevisionDeps,
  principal: Principal,
  suiteId: string,
  needed: Need,
): Promise<SuiteRevision> {
  const { orgId } = principal;
  const stored = await liveSuite(deps, principal, suiteId, needed);
  const { head, project } = await deps.atOneMoment(orgId, () => headsOf(deps, principal, stored));
  const revisions = revisionsOf({ head, project });
  return SuiteRevision.read(deps.chains, { orgId, suite: head, project, revisions });
}
