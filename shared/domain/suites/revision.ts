import { covers } from '../../contracts/base/scopes.ts';
import type { Revision } from '../../contracts/suites.ts';
import { SCORING_VERSION } from '../../scoring/digest/suite.ts';
import type { Principal } from '../principal.ts';
import { liveSuite } from './access/live.ts';
import { type AtOneMoment, revisionsOf } from './chains/atOneMoment.ts';
import type { Revisions } from './chains/chains.ts';
import { SuiteRevision } from './chains/suiteRevision.ts';
import type { DigestOfSuite } from './digests/knownDigests.ts';
import { isAdvisory, rulesOf } from './gates/rules.ts';
import type { ProjectReader, SuiteReader } from './ports.ts';
import { headsOf } from './resolveSuite.ts';

interface Deps {
  readonly projects: ProjectReader;
  readonly suites: SuiteReader;
  readonly chains: Revisions;
  readonly atOneMoment: AtOneMoment;
  readonly digestOfSuite: DigestOfSuite;
  readonly now: () => number;
}

/** What decides a verdict of the suite at this moment. */
export async function suiteRevision(deps: Deps, principal: Principal, suiteId: string): Promise<Revision> {
  const { orgId, scope } = principal;
  const stored = await liveSuite(deps, principal, suiteId, 'result');
  const { head, project } = await deps.atOneMoment(orgId, () => headsOf(deps, principal, stored));
  const revisions = revisionsOf({ head, project });
  const at = await SuiteRevision.read(deps.chains, { orgId, suite: head, project, revisions });
  const { digest, judges } = await deps.digestOfSuite(at);
  const { passThreshold, gates } = at.bar;
  const providers = [...new Set(judges.map(({ provider }) => provider))];
  return {
    digest,
    scoring: SCORING_VERSION,
    pass_threshold: passThreshold,
    gates,
    case_count: at.sums.active,
    gating_cases: await gatingCases(at, deps.now()),
    judges: covers(scope, 'read') ? [...judges] : providers.map((provider) => ({ provider, model: null })),
  };
}

/** Cases are read only where an advisory has ended. */
async function gatingCases(at: SuiteRevision, nowMs: number): Promise<number> {
  const { gating, firstAdvisoryEnd } = at.sums;
  if (firstAdvisoryEnd === null || isAdvisory({ advisory_until: firstAdvisoryEnd }, nowMs)) return gating;
  const rows = (await at.activeCases()).map(({ member }) => member.row);
  return rows.filter((row) => !isAdvisory(rulesOf(row), nowMs)).length;
}
