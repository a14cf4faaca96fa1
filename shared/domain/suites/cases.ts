import type { PageQuery } from '../../contracts/base/common.ts';
import type { EvalCase } from '../../contracts/cases.ts';
import { liveCase, liveSuite } from '../access.ts';
import { invalidField, notFound } from '../errors.ts';
import { patched } from '../patch.ts';
import type { Ambient, Page } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { timestamp } from '../time.ts';
import { withAdvisory } from './bar/advisory.ts';
import { requireMayWrite } from './barWrites.ts';
import { requireSendable } from './outputsOfSuite.ts';
import type { CaseStore, ReorderedCase, ScorerStore } from './ports.ts';
import { changed, checkNewKey, createUnderSlug } from './slugs.ts';
import type { SuiteDeps } from './suites.ts';

type Deps = SuiteDeps & { cases: CaseStore };
type DepsWithScorers = Deps & { scorers: ScorerStore };
type Fields = Omit<EvalCase, 'id' | 'suite_id' | 'sort_order' | 'created_at' | 'updated_at'>;
type Changes = { readonly [K in keyof Fields]?: Fields[K] | undefined };

/** 404 for a scorer of another project. */
async function requireScorer(
  { scorers }: DepsWithScorers,
  principal: Principal,
  projectId: string,
  scorerId: string,
): Promise<void> {
  const scorer = await scorers.find(principal.orgId, scorerId);
  if (scorer?.project_id !== projectId) throw notFound('scorer');
}

export async function listCases(
  deps: Omit<Deps, keyof Ambient>,
  principal: Principal,
  suiteId: string,
  query: PageQuery,
): Promise<Page<EvalCase>> {
  const suite = await liveSuite(deps, principal, suiteId);
  return deps.cases.page(principal.orgId, suite.id, query);
}

export async function createCase(
  deps: DepsWithScorers,
  principal: Principal,
  suiteId: string,
  { key: given, ...fields }: Omit<Fields, 'key'> & Pick<Changes, 'key'>,
): Promise<EvalCase> {
  const suite = await liveSuite(deps, principal, suiteId);
  await requireMayWrite(deps, principal, { project_id: suite.project_id, suite });
  await requireScorer(deps, principal, suite.project_id, fields.scorer_id);
  const { orgId } = principal;
  const nowMs = deps.now();
  await requireSendable(deps, orgId, suite, { after: fields });
  const at = { created_at: timestamp(nowMs), updated_at: timestamp(nowMs) };
  const ruled = withAdvisory(fields, { sent: fields, nowMs });
  const taken = (keys: readonly string[]) => deps.cases.takenKeys(orgId, suite.id, keys);
  const keyed = { slug: given, name: fields.name, newId: deps.newId, taken };
  return createUnderSlug('case', keyed, (key) =>
    deps.cases.create(orgId, suite, { ...ruled, id: deps.newId(), key, suite_id: suite.id, ...at }),
  );
}

export async function updateCase(
  deps: DepsWithScorers,
  principal: Principal,
  caseId: string,
  changes: Changes,
): Promise<EvalCase> {
  const { suite, evalCase } = await liveCase(deps, principal, caseId);
  await requireMayWrite(deps, principal, { project_id: suite.project_id, suite });
  if (changes.scorer_id !== undefined) {
    await requireScorer(deps, principal, suite.project_id, changes.scorer_id);
  }
  const { is_active = evalCase.is_active, sample_count = evalCase.sample_count } = changes;
  await requireSendable(deps, principal.orgId, suite, {
    before: evalCase,
    after: { is_active, sample_count },
  });
  const updated = await deps.cases.update(principal.orgId, suite, caseId, (before) => {
    checkNewKey(changes.key, before.key);
    const wanted = patched(before, changes, deps.now());
    return wanted === before ? before : withAdvisory(wanted, { before, sent: changes, nowMs: deps.now() });
  });
  return changed('case', updated);
}

export async function deleteCase(deps: Deps, principal: Principal, caseId: string): Promise<void> {
  const { suite } = await liveCase(deps, principal, caseId);
  await requireMayWrite(deps, principal, { project_id: suite.project_id, suite });
  const deleted = await deps.cases.delete(principal.orgId, suite, caseId, timestamp(deps.now()));
  if (!deleted) throw notFound('case');
}

/** The named cases first, in the given order, then the inactive cases that were left out, in their present order. */
export function newOrder(
  current: readonly Pick<EvalCase, 'id' | 'is_active'>[],
  wanted: readonly string[],
): string[] {
  const known = new Set(current.map((evalCase) => evalCase.id));
  const named = new Set(wanted);
  if (wanted.some((id) => !known.has(id))) throw notFound('case');
  if (named.size < wanted.length) throw invalidField('case_ids', 'names a case twice');
  const leftOut = current.filter((evalCase) => !named.has(evalCase.id));
  const active = leftOut.filter((evalCase) => evalCase.is_active).length;
  if (active > 0) {
    throw invalidField('case_ids', `must name every active case of the suite: ${active} are left out`);
  }
  return [...wanted, ...leftOut.map((evalCase) => evalCase.id)];
}

export async function reorderCases(
  deps: Deps,
  principal: Principal,
  suiteId: string,
  wanted: readonly string[],
): Promise<ReorderedCase[]> {
  const suite = await liveSuite(deps, principal, suiteId);
  await requireMayWrite(deps, principal, { project_id: suite.project_id, suite });
  const reordered = await deps.cases.reorder(principal.orgId, suite, (current) => newOrder(current, wanted));
  if (reordered === undefined) throw notFound('suite');
  return reordered;
}
