/**
 * Functions reach resources through this file; the suite that a run's body names is found by `resolveSuite.ts`, under the
 * same rules. A resource is found only if it belongs to the caller's organisation and to a project that the credential may
 * use, and if it and everything above it exist. Anything else is 404, always in the same words. Only then is a credential
 * of too small a scope refused with 403.
 */
import type { Need } from '../../../contracts/base/scopes.ts';
import type { EvalCase } from '../../../contracts/cases.ts';
import type { Project } from '../../../contracts/projects.ts';
import { mayUse, requireScope } from '../../access.ts';
import { notFound } from '../../errors.ts';
import type { Principal } from '../../principal.ts';
import type { Member } from '../../revisions/blocks.ts';
import type { Ordered } from '../../revisions/current.ts';
import { numberIn } from '../../revisions/ids.ts';
import {
  type Chains,
  type CurrentSuite,
  currentOf,
  currentProject,
  type Revisions,
  type SuiteInForce,
} from '../chains/chains.ts';
import { completeCases, completeScorers } from '../chains/completeMembers.ts';
import type { CaseRow } from '../chains/members.ts';
import type { ProjectReader, SuiteReader } from '../ports.ts';
import type { ProjectHead, StoredScorer, StoredSuite, SuiteHead } from '../stored.ts';

async function openProjectHead(
  { projects }: { projects: ProjectReader },
  principal: Principal,
  slug: string,
): Promise<ProjectHead> {
  const head = await projects.head(principal.orgId, slug);
  if (head === undefined || !mayUse(principal, head.id)) throw notFound('project');
  return head;
}

export async function liveProjectHead(
  deps: { projects: ProjectReader },
  principal: Principal,
  slug: string,
  needed: Need = 'suites',
): Promise<ProjectHead> {
  const head = await openProjectHead(deps, principal, slug);
  requireScope(principal, needed);
  return head;
}

export async function liveProject(
  deps: { projects: ProjectReader },
  principal: Principal,
  slug: string,
  needed: Need = 'full',
): Promise<Project> {
  const head = await openProjectHead(deps, principal, slug);
  const project = await deps.projects.find(principal.orgId, head.id);
  if (project === undefined) throw notFound('project');
  requireScope(principal, needed);
  return project;
}

/** The project's head, if the credential may use it. */
export async function projectOpen(
  { projects }: { projects: ProjectReader },
  principal: Principal,
  { project_id, project_slug }: { project_id: string; project_slug: string },
): Promise<ProjectHead | undefined> {
  if (!mayUse(principal, project_id)) return undefined;
  const head = await projects.head(principal.orgId, project_slug);
  return head?.id === project_id ? head : undefined;
}

export async function liveSuite(
  deps: { projects: ProjectReader; suites: SuiteReader },
  principal: Principal,
  suiteId: string,
  needed: Need = 'suites',
): Promise<StoredSuite> {
  return (await liveSuiteInForce(deps, principal, suiteId, needed)).revision.fields.suite;
}

export async function liveSuiteInForce(
  deps: { projects: ProjectReader; suites: SuiteReader },
  principal: Principal,
  suiteId: string,
  needed: Need = 'suites',
): Promise<SuiteInForce & { readonly project: ProjectHead }> {
  const suiteInForce = await deps.suites.holding(principal.orgId, suiteId);
  const suite = suiteInForce?.revision.fields.suite;
  const project = suite?.id === suiteId ? await projectOpen(deps, principal, suite) : undefined;
  if (suiteInForce === undefined || project === undefined) throw notFound('suite');
  requireScope(principal, needed);
  return { ...suiteInForce, project };
}

export async function liveSuiteBySlug(
  deps: { projects: ProjectReader; suites: SuiteReader },
  principal: Principal,
  { slug, suiteSlug }: { slug: string; suiteSlug: string },
  needed: Need = 'suites',
): Promise<StoredSuite> {
  const project = await openProjectHead(deps, principal, slug);
  const head = await deps.suites.head(principal.orgId, suiteSlug, project.id);
  const suite = head && (await deps.suites.find(principal.orgId, head.suiteId));
  if (suite === undefined) throw notFound('suite');
  requireScope(principal, needed);
  return suite;
}

async function memberIn(present: CurrentSuite, caseId: string): Promise<Ordered<CaseRow> | undefined> {
  const number = numberIn(caseId);
  const member = number === undefined ? undefined : await present.member(number);
  return member?.row.id === caseId ? { member, position: await present.position(member.number) } : undefined;
}

/** The case with this id in a suite as it is at one revision. */
export async function caseIn(
  present: CurrentSuite,
  caseId: string,
): Promise<{ member: Member<CaseRow>; evalCase: EvalCase } | undefined> {
  const known = await memberIn(present, caseId);
  const [evalCase] = await completeCases(present, known === undefined ? [] : [known]);
  return known && evalCase && { member: known.member, evalCase };
}

interface LiveCase extends Ordered<CaseRow> {
  readonly present: CurrentSuite;
  readonly head: SuiteHead;
  readonly project: ProjectHead;
}

/** Without its texts. */
export async function liveCaseRow(
  deps: { projects: ProjectReader; suites: SuiteReader; chains: Revisions },
  principal: Principal,
  caseId: string,
  needed: Need = 'suites',
): Promise<LiveCase> {
  const { orgId } = principal;
  const suiteInForce = await deps.suites.holding(orgId, caseId);
  if (suiteInForce === undefined) throw notFound('case');
  const project = await projectOpen(deps, principal, suiteInForce.revision.fields.suite);
  if (project === undefined) throw notFound('case');
  const present = currentOf(deps.chains, orgId, suiteInForce);
  const row = await memberIn(present, caseId);
  if (row === undefined) throw notFound('case');
  requireScope(principal, needed);
  return { ...row, present, head: suiteInForce.head, project };
}

export async function liveCase(
  deps: { projects: ProjectReader; suites: SuiteReader; chains: Chains },
  principal: Principal,
  caseId: string,
  needed: Need = 'suites',
): Promise<{ evalCase: EvalCase; suite: StoredSuite; project: ProjectHead }> {
  const { present, project, ...row } = await liveCaseRow(deps, principal, caseId, needed);
  const [evalCase] = await completeCases(present, [row]);
  if (evalCase === undefined) throw notFound('case');
  return { evalCase, suite: present.revision.fields.suite, project };
}

/** Whatever its project: see `liveScorer`. */
async function findScorer(
  { projects, chains }: { projects: ProjectReader; chains: Chains },
  orgId: string,
  scorerId: string,
): Promise<StoredScorer | undefined> {
  const number = numberIn(scorerId);
  const project = number === undefined ? undefined : await projects.holding(orgId, scorerId);
  if (number === undefined || project === undefined) return undefined;
  const present = await currentProject(chains, orgId, project);
  const member = await present.member(number);
  return member?.row.id === scorerId ? (await completeScorers(present, [member], project))[0] : undefined;
}

export async function liveScorer(
  deps: { projects: ProjectReader; chains: Chains },
  principal: Principal,
  scorerId: string,
  needed: Need = 'suites',
): Promise<StoredScorer> {
  const scorer = await findScorer(deps, principal.orgId, scorerId);
  if (scorer === undefined || !mayUse(principal, scorer.project_id)) throw notFound('scorer');
  requireScope(principal, needed);
  return scorer;
}
