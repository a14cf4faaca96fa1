import type { KeyedPageQuery } from '../../contracts/base/common.ts';
import type { Scorer } from '../../contracts/scorers.ts';
import { invalid, notFound } from '../errors.ts';
import { pageOf } from '../pageOf.ts';
import { defined, patched } from '../patch.ts';
import type { Ambient, Page } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { memberId, numberIn } from '../revisions/ids.ts';
import { timestamp } from '../time.ts';
import { liveProjectHead, liveScorer } from './access/live.ts';
import { requireKeyIfWeaker, requireMayWrite } from './access/writes.ts';
import { type Chains, currentProject } from './chains/chains.ts';
import { completeScorers, withKey } from './chains/completeMembers.ts';
import { editProject } from './chains/edits.ts';
import { editedProject, newKey, requireFreeKey, type ScorerEdit } from './chains/memberEdits.ts';
import { requestedScorer } from './chains/members.ts';
import { type ExpectedVersion, requireVersion } from './chains/versions.ts';
import type { CheckModel } from './digests/judgeIdentity.ts';
import { type CheckConfig, checkedConfig, openConfigChecks } from './gates/configChecks.ts';
import type { ProjectReader, SuiteReader } from './ports.ts';
import { checkNewKey } from './slugs.ts';
import type { StoredScorer, StoredSuite } from './stored.ts';

type Deps = Ambient & { projects: ProjectReader; suites: SuiteReader; chains: Chains };
type WritingDeps = Deps & { checkModel: CheckModel };
type Fields = Pick<
  Scorer,
  'key' | 'name' | 'type' | 'config' | 'dual_sided' | 'precision_threshold' | 'recall_threshold'
>;

type Changes = { readonly [K in keyof Fields]?: Fields[K] | undefined };

interface Expected {
  readonly expected_version?: ExpectedVersion;
}

const SIDE_THRESHOLDS = ['precision_threshold', 'recall_threshold'] as const;

export function checkSideThresholds(fields: Partial<Fields>, dualSided: boolean): void {
  const strays = SIDE_THRESHOLDS.filter((name) => !dualSided && fields[name] != null);
  const message = 'is for dual-sided scorers only: set dual_sided to true';
  if (strays.length > 0) throw invalid(strays.map((path) => ({ path, message })));
}

export async function createScorer(
  deps: Omit<WritingDeps, 'suites'>,
  principal: Principal,
  projectSlug: string,
  { key: given, ...fields }: Omit<Fields, 'key'> & Pick<Changes, 'key'>,
): Promise<Scorer> {
  const project = await liveProjectHead(deps, principal, projectSlug);
  checkSideThresholds(fields, fields.dual_sided);
  const createdAt = timestamp(deps.now());
  const config = await checkedConfig(openConfigChecks(deps), fields);
  const ofProject = { project_id: project.id, project_slug: project.slug };
  let created: StoredScorer | undefined;
  const revision = await editProject(deps, principal, project, async (present) => {
    const keyed = { given, name: fields.name, newId: deps.newId };
    const key = await newKey('scorer', keyed, await present.members());
    const number = present.revision.lastNumber + 1;
    const id = memberId(project.id, number);
    const times = { created_at: createdAt, updated_at: createdAt };
    created = { ...fields, config, id, key, ...ofProject, version: 1, ...times };
    const act = { action: 'created', target: { type: 'scorer', number } } as const;
    return editedProject(present, act, [{ number, before: undefined, after: requestedScorer(created) }]);
  });
  if (revision === undefined || created === undefined) throw notFound('project');
  return created;
}

/** The newest first. */
export async function listScorers(
  { projects, chains }: Pick<Deps, 'projects' | 'chains'>,
  principal: Principal,
  projectSlug: string,
  { key, page, pageSize }: KeyedPageQuery,
): Promise<Page<Scorer>> {
  const project = await liveProjectHead({ projects }, principal, projectSlug, 'read');
  const present = await currentProject(chains, principal.orgId, project);
  const end = Math.max(0, present.count - (page - 1) * pageSize);
  const { items, total } =
    key === undefined
      ? { items: await present.page(Math.max(0, end - pageSize), end), total: present.count }
      : pageOf(await withKey(present, key), { page, pageSize });
  const members = items.map(({ member }) => member).reverse();
  return { items: await completeScorers(present, members, project), total };
}

/** One-sided scorers have no side thresholds: turning `dual_sided` off drops them. */
async function complete<T extends Fields>(check: CheckConfig, merged: T, changes: Changes): Promise<T> {
  const sides = merged.dual_sided ? {} : { precision_threshold: null, recall_threshold: null };
  const mayClash = [changes.type, changes.config, changes.dual_sided].some((change) => change !== undefined);
  return { ...merged, ...sides, config: mayClash ? await checkedConfig(check, merged) : merged.config };
}

/** The suites of its project whose cases use it, inactive ones included. */
const suitesUsing =
  ({ suites }: Pick<Deps, 'suites'>) =>
  async (orgId: string, { id, project_id }: StoredScorer): Promise<readonly StoredSuite[]> =>
    (await suites.ofProject(orgId, project_id))
      .map(({ revision }) => revision.fields)
      .filter(({ sums }) => Object.hasOwn(sums.uses, id))
      .map(({ suite }) => suite);

const requireMayWriteScorer = (deps: Deps, principal: Principal, scorer: StoredScorer) =>
  requireMayWrite(deps, principal, scorer, { changed: [scorer], suitesUsing: suitesUsing(deps) });

/** `after`: what becomes of the scorer; null deletes it, and the same one writes nothing. */
async function editScorer(
  deps: Deps,
  principal: Principal,
  { id, project_id, project_slug, expected_version }: StoredScorer & Expected,
  after: (scorer: StoredScorer, requireFree: (key: string) => Promise<void>) => Promise<StoredScorer | null>,
): Promise<StoredScorer | null> {
  const project = { id: project_id, slug: project_slug };
  let result: StoredScorer | null | undefined;
  const revision = await editProject(deps, principal, project, async (present) => {
    const number = numberIn(id) ?? -1;
    const member = await present.member(number);
    const [scorer] = member?.row.id === id ? await completeScorers(present, [member], project) : [];
    if (member === undefined || scorer === undefined) throw notFound('scorer');
    requireVersion('scorer', scorer, expected_version);
    const edited = await after(scorer, (key) => requireFreeKey('scorer', key, member.row, present));
    if (edited === scorer) {
      result = scorer;
      return undefined;
    }
    result = edited && { ...edited, version: scorer.version + 1 };
    const action = result === null ? 'deleted' : 'updated';
    return editedProject(present, { action, target: { type: 'scorer', number } }, [
      { number, before: member, after: requestedEdit(result, scorer) },
    ]);
  });
  if (revision === undefined || result === undefined) throw notFound('scorer');
  return result;
}

function requestedEdit(after: StoredScorer | null, { config }: StoredScorer): ScorerEdit['after'] {
  if (after === null) return null;
  const { row, texts } = requestedScorer(after);
  return after.config === config ? { row } : { row, texts };
}

export async function updateScorer(
  deps: WritingDeps,
  principal: Principal,
  scorerId: string,
  { expected_version, ...changes }: Changes & Expected,
): Promise<Scorer> {
  const before = await liveScorer(deps, principal, scorerId);
  await requireMayWriteScorer(deps, principal, before);
  const check = openConfigChecks(deps);
  const request = { ...before, expected_version };
  const updated = await editScorer(deps, principal, request, async (scorer, requireFree) => {
    checkNewKey(changes.key, scorer.key);
    checkSideThresholds(defined(changes), changes.dual_sided ?? scorer.dual_sided);
    const patchedScorer = patched(scorer, changes, deps.now());
    if (patchedScorer === scorer) return scorer;
    await requireFree(patchedScorer.key);
    const after = await complete(check, patchedScorer, changes);
    await requireKeyIfWeaker(principal, scorer, after);
    return after;
  });
  if (updated === null) throw notFound('scorer');
  return updated;
}

export async function deleteScorer(
  deps: Deps,
  principal: Principal,
  scorerId: string,
  { expected_version }: Expected = {},
): Promise<void> {
  const scorer = await liveScorer(deps, principal, scorerId);
  await requireMayWriteScorer(deps, principal, scorer);
  await editScorer(deps, principal, { ...scorer, expected_version }, async () => null);
}
