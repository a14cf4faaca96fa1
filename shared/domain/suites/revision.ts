import { covers } from '../../contracts/base/scopes.ts';
import type { Revision } from '../../contracts/suites.ts';
import { SCORING_VERSION } from '../../scoring/digest/bar.ts';
import { liveSuite } from '../access.ts';
import { notFound } from '../errors.ts';
import type { Principal } from '../principal.ts';
import type { JudgeIdentity } from './bar/judgeIdentity.ts';
import { isAdvisory } from './bar/rules.ts';
import { digestOf, judgeModelsOf } from './bar/suiteDigest.ts';
import { type PackStore, packRevision } from './packs/packedSuites.ts';
import type { ProjectStore, ReadSuite, StoredSuite, SuiteStore } from './ports.ts';
import { headsOf, type ResolvedSuite, revisionOf } from './resolveSuite.ts';

interface Deps {
  readonly projects: ProjectStore;
  readonly suites: SuiteStore;
  readonly packs: Pick<PackStore, 'findPack'>;
  readonly judgeIdentity: JudgeIdentity;
  readonly now: () => number;
}

const LOADS_MAX = 5;

/** What decides a verdict of the suite at this moment. */
export async function suiteRevision(deps: Deps, principal: Principal, suiteId: string): Promise<Revision> {
  const revision = await revisionNow(deps, principal, suiteId);
  if (covers(principal.scope, 'suites')) return revision;
  const providers = new Set(revision.judges.map(({ provider }) => provider));
  return { ...revision, judges: [...providers].map((provider) => ({ provider, model: null })) };
}

/** Of a pack where a run has left one, else of the cases. */
async function revisionNow(deps: Deps, principal: Principal, suiteId: string): Promise<Revision> {
  for (let load = 1; ; load++) {
    const suite = await liveSuite(deps, principal, suiteId, 'run');
    const before = await headsOf(deps, principal, suite);
    const packed = load === 1 ? await revisionOfPack(deps, principal.orgId, before) : undefined;
    if (packed !== undefined) return packed;
    const loaded = await deps.suites.load(principal.orgId, suiteId, before.head);
    if (loaded === undefined) throw notFound('suite');
    const isSame = revisionOf(await headsOf(deps, principal, suite)) === revisionOf(before);
    // Under constant editing, each case as it was when it was read.
    if (isSame || load === LOADS_MAX) return revisionOfCases(deps, suite, loaded);
  }
}

/** Undefined without a pack, and where an advisory has ended since it was packed. */
async function revisionOfPack(
  { packs, judgeIdentity, now }: Deps,
  orgId: string,
  at: ResolvedSuite,
): Promise<Revision | undefined> {
  const revision = packRevision(revisionOf(at), judgeIdentity);
  const pack = await packs.findPack({ orgId, suiteId: at.head.suiteId, revision }, now());
  if (pack === undefined) return undefined;
  const { firstAdvisoryEnd, gatingCases, judgeModels } = pack;
  if (firstAdvisoryEnd !== null && !isAdvisory({ advisory_until: firstAdvisoryEnd }, now())) return undefined;
  return {
    digest: pack.suiteDigest,
    scoring: SCORING_VERSION,
    pass_threshold: pack.passThreshold,
    gates: pack.gates,
    case_count: pack.totalCases,
    gating_cases: gatingCases,
    judges: [...judgeModels],
  };
}

function revisionOfCases(
  { judgeIdentity, now }: Deps,
  { pass_threshold, gates }: StoredSuite,
  { cases, unread }: ReadSuite,
): Revision {
  const isRead = unread === undefined;
  const digest = digestOf({ passThreshold: pass_threshold, gates, cases }, judgeIdentity);
  return {
    digest: isRead ? digest : null,
    scoring: SCORING_VERSION,
    pass_threshold,
    gates,
    case_count: unread ?? cases.length,
    gating_cases: isRead ? cases.filter((evalCase) => !isAdvisory(evalCase, now())).length : null,
    judges: judgeModelsOf(
      cases.map(({ scorer }) => scorer),
      judgeIdentity,
    ),
  };
}
