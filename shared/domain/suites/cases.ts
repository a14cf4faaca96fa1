import type { KeyedPageQuery } from '../../contracts/base/common.ts';
import type { EvalCase } from '../../contracts/cases.ts';
import { notFound } from '../errors.ts';
import { pageOf } from '../pageOf.ts';
import { patched } from '../patch.ts';
import type { Ambient, Page } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { memberId, numberIn } from '../revisions/ids.ts';
import type { Act } from '../revisions/ports.ts';
import { timestamp } from '../time.ts';
import { caseIn, liveCase, liveSuiteInForce } from './access/live.ts';
import { requireKeyIfWeaker, requireMayWrite } from './access/writes.ts';
import { type Chains, currentOf, currentProject } from './chains/chains.ts';
import { completeCases, withKey } from './chains/completeMembers.ts';
import { editSuite } from './chains/edits.ts';
import { editedSuite, newKey, requireFreeKey } from './chains/memberEdits.ts';
import { requestedCase } from './chains/members.ts';
import { type ExpectedVersion, requireVersion } from './chains/versions.ts';
import { withAdvisory } from './gates/advisory.ts';
import { type Warned, warnedOf } from './gates/warnings.ts';
import { requireSendable } from './outputsOfSuite.ts';
import type { ProjectReader, SuiteReader } from './ports.ts';
import { checkNewKey } from './slugs.ts';
import type { ProjectHead } from './stored.ts';

type Deps = Ambient & { projects: ProjectReader; suites: SuiteReader; chains: Chains };
type Fields = Omit<EvalCase, 'id' | 'suite_id' | 'sort_order' | 'created_at' | 'updated_at'>;
type Changes = { readonly [K in keyof Fields]?: Fields[K] | undefined };

interface Expected {
  /** Of the suite. */
  readonly expected_version?: ExpectedVersion;
}

/** 404 for a scorer of another project. */
async function requireScorer(
  { chains }: Pick<Deps, 'chains'>,
  { orgId }: Principal,
  project: ProjectHead,
  scorerId: string,
): Promise<void> {
  const number = numberIn(scorerId);
  const present = await currentProject(chains, orgId, project);
  const member = number === undefined ? undefined : await present.member(number);
  if (member?.row.id !== scorerId) throw notFound('scorer');
}

export async function listCases(
  deps: Omit<Deps, keyof Ambient>,
  principal: Principal,
  suiteId: string,
  { key, page, pageSize }: KeyedPageQuery,
): Promise<Page<EvalCase>> {
  const suite = await liveSuiteInForce(deps, principal, suiteId, 'read');
  const present = currentOf(deps.chains, principal.orgId, suite);
  const start = (page - 1) * pageSize;
  const { items, total } =
    key === undefined
      ? { items: await present.page(start, start + pageSize), total: present.count }
      : pageOf(await withKey(present, key), { page, pageSize });
  return { items: await completeCases(present, items), total };
}

export async function createCase(
  deps: Deps,
  principal: Principal,
  suiteId: string,
  { key: given, ...fields }: Omit<Fields, 'key'> & Pick<Changes, 'key'>,
): Promise<EvalCase & Warned> {
  const { revision: before, project } = await liveSuiteInForce(deps, principal, suiteId);
  const { suite } = before.fields;
  await requireMayWrite(deps, principal, { project_id: suite.project_id, suite });
  await requireScorer(deps, principal, project, fields.scorer_id);
  const nowMs = deps.now();
  const times = { created_at: timestamp(nowMs), updated_at: timestamp(nowMs) };
  const ruled = withAdvisory(fields, { sent: fields, nowMs });
  const readScorers = () => currentProject(deps.chains, principal.orgId, project);
  let created: (EvalCase & Warned) | undefined;
  const revision = await editSuite(deps, principal, suite, async (present) => {
    requireSendable(present.revision.fields.sums, { after: fields });
    const keyed = { given, name: fields.name, newId: deps.newId };
    const key = await newKey('case', keyed, await present.members());
    const number = present.revision.lastNumber + 1;
    const id = memberId(suite.id, number);
    const evalCase = { ...ruled, id, key, suite_id: suite.id, ...times, sort_order: present.count };
    const added = { number, before: undefined, after: requestedCase(evalCase) };
    const edited = await editedSuite(present, { act: actOn('created', number), cases: [added] });
    created = { ...evalCase, ...(await warnedOf(present, readScorers, nowMs, edited)) };
    return edited;
  });
  if (revision === undefined || created === undefined) throw notFound('suite');
  return created;
}

export async function updateCase(
  deps: Deps,
  principal: Principal,
  caseId: string,
  { expected_version, ...changes }: Changes & Expected,
): Promise<EvalCase & Warned> {
  const { suite, project } = await liveCase(deps, principal, caseId);
  await requireMayWrite(deps, principal, { project_id: suite.project_id, suite });
  if (changes.scorer_id !== undefined) await requireScorer(deps, principal, project, changes.scorer_id);
  const readScorers = () => currentProject(deps.chains, principal.orgId, project);
  let updated: (EvalCase & Warned) | undefined;
  await editSuite(deps, principal, suite, async (present) => {
    const known = await caseIn(present, caseId);
    if (known === undefined) throw notFound('case');
    requireVersion('suite', present.revision.fields.suite, expected_version);
    const { member, evalCase: before } = known;
    const nowMs = deps.now();
    const changed = changedCase(before, changes, nowMs);
    if (changed === before) {
      updated = { ...before, ...(await warnedOf(present, readScorers, nowMs)) };
      return undefined;
    }
    await requireKeyIfWeaker(principal, before, changed);
    requireSendable(present.revision.fields.sums, { before, after: changed });
    await requireFreeKey('case', changed.key, member.row, present);
    const { row, texts } = requestedCase(changed);
    const isSameTexts = TEXT_FIELDS.every((name) => changes[name] === undefined);
    const after = isSameTexts ? { row } : { row, texts };
    const { number } = member;
    const cases = [{ number, before: member, after }];
    const edited = await editedSuite(present, { act: actOn('updated', number), cases });
    updated = { ...changed, ...(await warnedOf(present, readScorers, nowMs, edited)) };
    return edited;
  });
  if (updated === undefined) throw notFound('case');
  return updated;
}

const actOn = (action: Act['action'], number: number): Act => ({ action, target: { type: 'case', number } });

const TEXT_FIELDS = ['description', 'input', 'expected', 'examples'] as const;

/** The same object where nothing is sent. */
function changedCase(before: EvalCase, changes: Changes, nowMs: number): EvalCase {
  checkNewKey(changes.key, before.key);
  const after = patched(before, changes, nowMs);
  return after === before ? before : withAdvisory(after, { before, sent: changes, nowMs });
}

export async function deleteCase(
  deps: Deps,
  principal: Principal,
  caseId: string,
  { expected_version }: Expected = {},
): Promise<void> {
  const { suite } = await liveCase(deps, principal, caseId);
  await requireMayWrite(deps, principal, { project_id: suite.project_id, suite });
  const revision = await editSuite(deps, principal, suite, async (present) => {
    const known = await caseIn(present, caseId);
    if (known === undefined) throw notFound('case');
    requireVersion('suite', present.revision.fields.suite, expected_version);
    const { member } = known;
    const { number } = member;
    const cases = [{ number, before: member, after: null }];
    return editedSuite(present, { act: actOn('deleted', number), cases });
  });
  if (revision === undefined) throw notFound('case');
}
