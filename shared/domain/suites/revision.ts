import type { Revision } from '../../contracts/suites.ts';
import { SCORING_VERSION } from '../../scoring/digest/bar.ts';
import { liveSuite } from '../access.ts';
import { notFound } from '../errors.ts';
import type { Principal } from '../principal.ts';
import { type ResolvedSuite, revisionOf } from '../runs/resolveSuite.ts';
import type { JudgeIdentity, ProjectStore, ReadSuite, StoredSuite, SuiteStore, SuiteToRun } from './ports.ts';
import { isAdvisory } from './rules.ts';
import { digestOf, judgeOf } from './suiteDigest.ts';

interface Deps {
  readonly projects: ProjectStore;
  readonly suites: SuiteStore;
  readonly judgeIdentity: JudgeIdentity;
  readonly now: () => number;
}

const LOADS_MAX = 5;

/** What decides a verdict of the suite at this moment. */
export async function suiteRevision(deps: Deps, principal: Principal, suiteId: string): Promise<Revision> {
  const { suite, loaded } = await loadedAtOnce(deps, principal, suiteId);
  const { pass_threshold, gates } = suite;
  const { cases, unread } = loaded;
  const isRead = unread === undefined;
  const digest = digestOf({ passThreshold: pass_threshold, gates, cases }, deps.judgeIdentity);
  return {
    digest: isRead ? digest : null,
    scoring: SCORING_VERSION,
    pass_threshold,
    gates,
    case_count: unread ?? cases.length,
    gating_cases: isRead ? cases.filter((evalCase) => !isAdvisory(evalCase, deps.now())).length : null,
    judges: judgesOf(cases, deps.judgeIdentity),
  };
}

/** Of one revision; under constant editing, each case as it was when it was read. */
async function loadedAtOnce(
  deps: Deps,
  principal: Principal,
  suiteId: string,
): Promise<{ readonly suite: StoredSuite; readonly loaded: ReadSuite }> {
  for (let load = 1; ; load++) {
    const suite = await liveSuite(deps, principal, suiteId, 'run');
    const before = await headsOf(deps, principal, suite);
    const loaded = await deps.suites.load(principal.orgId, suiteId);
    if (loaded === undefined) throw notFound('suite');
    const isSame = revisionOf(await headsOf(deps, principal, suite)) === revisionOf(before);
    if (isSame || load === LOADS_MAX) return { suite, loaded };
  }
}

async function headsOf(
  { suites, projects }: Deps,
  { orgId }: Principal,
  { id, slug, project_id, project_slug }: StoredSuite,
): Promise<ResolvedSuite> {
  const [head, project] = await Promise.all([
    suites.head(orgId, slug, project_id),
    projects.head(orgId, project_slug),
  ]);
  if (head?.suiteId !== id || project?.id !== project_id) throw notFound('suite');
  return { head, project };
}

/** Each once, in the order of their names. An endpoint, which belongs to the bar's author, is left out. */
function judgesOf(cases: SuiteToRun['cases'], judgeIdentity: JudgeIdentity): Revision['judges'] {
  const judges = new Map<string, Revision['judges'][number]>();
  for (const scorer of new Set(cases.map((evalCase) => evalCase.scorer))) {
    const judge = scorer === null ? undefined : judgeOf(scorer, judgeIdentity);
    if (judge === undefined) continue;
    const model = judge.model?.split('|').at(-1)?.trim() ?? null;
    judges.set(`${judge.provider} ${model ?? ''}`, { provider: judge.provider, model });
  }
  return [...judges].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, judge]) => judge);
}
