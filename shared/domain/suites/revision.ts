import { covers } from '../../contracts/base/scopes.ts';
import type { Revision } from '../../contracts/suites.ts';
import { SCORING_VERSION } from '../../scoring/digest/suiteDigest.ts';
import type { Principal } from '../principal.ts';
import { type RepeatedVerdict, reliabilityOf } from '../reliability/reliability.ts';
import type { SuiteChain } from './chains/chains.ts';
import type { SuiteRevision } from './chains/suiteRevision.ts';
import type { DigestOfSuite } from './digests/knownDigests.ts';
import { isAdvisory, rulesOf } from './gates/rules.ts';
import { type RevisionDeps, revisionInForce } from './revisionInForce.ts';

interface Deps extends RevisionDeps {
  readonly digestOfSuite: DigestOfSuite;
  /** Commits that the bar judged twice. */
  readonly repeated: (suite: SuiteChain, digest: string) => Promise<readonly RepeatedVerdict[]>;
  readonly now: () => number;
}

/** What decides a verdict of the suite at this moment. */
export async function suiteRevision(deps: Deps, principal: Principal, suiteId: string): Promise<Revision> {
  const suiteRevision = await revisionInForce(deps, principal, suiteId, 'result');
  const { digest, judges } = await deps.digestOfSuite(suiteRevision);
  const repeated = await deps.repeated(suiteRevision.chain, digest);
  const { passThreshold, gates } = suiteRevision.settings;
  const providers = [...new Set(judges.map(({ provider }) => provider))];
  return {
    digest,
    scoring: SCORING_VERSION,
    pass_threshold: passThreshold,
    gates,
    case_count: suiteRevision.sums.active,
    gating_cases: await gatingCases(suiteRevision, deps.now()),
    judges: covers(principal.scope, 'read')
      ? [...judges]
      : providers.map((provider) => ({ provider, model: null })),
    reliability: reliabilityOf(repeated),
  };
}

/** Cases are read only where an advisory has ended. */
async function gatingCases(suiteRevision: SuiteRevision, nowMs: number): Promise<number> {
  const { gating, firstAdvisoryEnd } = suiteRevision.sums;
  if (firstAdvisoryEnd === null || isAdvisory({ advisory_until: firstAdvisoryEnd }, nowMs)) return gating;
  const rows = (await suiteRevision.activeCases()).map(({ member }) => member.row);
  return rows.filter((row) => !isAdvisory(rulesOf(row), nowMs)).length;
}
