import type { PageQuery } from '../../contracts/base/common.ts';
import type { Scorer } from '../../contracts/scorers.ts';
import { liveProjectHead, liveScorer } from '../access.ts';
import { invalid, notFound } from '../errors.ts';
import { defined, patched } from '../patch.ts';
import type { Ambient, Page } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { timestamp } from '../time.ts';
import { type CheckConfig, checkedConfig, openConfigChecks } from './bar/configChecks.ts';
import type { CheckModel } from './bar/judgeIdentity.ts';
import { requireMayWrite } from './barWrites.ts';
import type { ProjectStore, ScorerStore, StoredScorer } from './ports.ts';
import { changed, checkNewKey, createUnderSlug } from './slugs.ts';

type Deps = Ambient & { projects: ProjectStore; scorers: ScorerStore };
type WritingDeps = Deps & { checkModel: CheckModel };
type Fields = Pick<
  Scorer,
  'key' | 'name' | 'type' | 'config' | 'dual_sided' | 'precision_threshold' | 'recall_threshold'
>;

type Changes = { readonly [K in keyof Fields]?: Fields[K] | undefined };

const SIDE_THRESHOLDS = ['precision_threshold', 'recall_threshold'] as const;

export function checkSideThresholds(fields: Partial<Fields>, dualSided: boolean): void {
  const strays = SIDE_THRESHOLDS.filter((name) => !dualSided && fields[name] != null);
  const message = 'is for dual-sided scorers only: set dual_sided to true';
  if (strays.length > 0) throw invalid(strays.map((path) => ({ path, message })));
}

export async function createScorer(
  deps: WritingDeps,
  principal: Principal,
  projectSlug: string,
  { key: given, ...fields }: Omit<Fields, 'key'> & Pick<Changes, 'key'>,
): Promise<Scorer> {
  const project = await liveProjectHead(deps, principal, projectSlug);
  checkSideThresholds(fields, fields.dual_sided);
  const { orgId } = principal;
  const at = timestamp(deps.now());
  const config = await checkedConfig(openConfigChecks(deps), fields);
  const ofProject = { project_id: project.id, project_slug: project.slug };
  const taken = (keys: readonly string[]) => deps.scorers.takenKeys(orgId, project.id, keys);
  const keyed = { slug: given, name: fields.name, newId: deps.newId, taken };
  return createUnderSlug('scorer', keyed, async (key) => {
    const scorer = {
      ...{ ...fields, config, id: deps.newId(), key, ...ofProject },
      ...{ created_at: at, updated_at: at },
    };
    const outcome = await deps.scorers.create(orgId, scorer);
    return outcome === 'created' ? scorer : outcome;
  });
}

export async function listScorers(
  { projects, scorers }: Pick<Deps, 'projects' | 'scorers'>,
  principal: Principal,
  projectSlug: string,
  query: PageQuery,
): Promise<Page<Scorer>> {
  const project = await liveProjectHead({ projects }, principal, projectSlug);
  return scorers.page(principal.orgId, project.id, query);
}

/** One-sided scorers have no side thresholds: turning `dual_sided` off drops them. */
async function complete<T extends Fields>(check: CheckConfig, merged: T, changes: Changes): Promise<T> {
  const sides = merged.dual_sided ? {} : { precision_threshold: null, recall_threshold: null };
  const mayClash = [changes.type, changes.config, changes.dual_sided].some((change) => change !== undefined);
  return { ...merged, ...sides, config: mayClash ? await checkedConfig(check, merged) : merged.config };
}

const requireMayWriteScorer = ({ projects, scorers }: Deps, principal: Principal, scorer: StoredScorer) =>
  requireMayWrite({ projects }, principal, scorer, { changed: [scorer], suitesUsing: scorers.suitesUsing });

export async function updateScorer(
  deps: WritingDeps,
  principal: Principal,
  scorerId: string,
  changes: Changes,
): Promise<Scorer> {
  await requireMayWriteScorer(deps, principal, await liveScorer(deps, principal, scorerId));
  const check = openConfigChecks(deps);
  const updated = await deps.scorers.update(principal.orgId, scorerId, async (scorer) => {
    checkNewKey(changes.key, scorer.key);
    checkSideThresholds(defined(changes), changes.dual_sided ?? scorer.dual_sided);
    const wanted = patched(scorer, changes, deps.now());
    return wanted === scorer ? scorer : complete(check, wanted, changes);
  });
  return changed('scorer', updated);
}

export async function deleteScorer(deps: Deps, principal: Principal, scorerId: string): Promise<void> {
  const scorer = await liveScorer(deps, principal, scorerId);
  await requireMayWriteScorer(deps, principal, scorer);
  const deleted = await deps.scorers.delete(principal.orgId, scorer, timestamp(deps.now()));
  if (!deleted) throw notFound('scorer');
}
