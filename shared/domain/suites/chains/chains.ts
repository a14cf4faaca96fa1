import { Current } from '../../revisions/current.ts';
import type { Edited } from '../../revisions/edit.ts';
import type { Chain, Position, Revision, RevisionStore } from '../../revisions/ports.ts';
import type { ProjectHead, SuiteHead } from '../stored.ts';
import type { CaseRow, CaseTexts, ProjectFields, ScorerRow, ScorerTexts, SuiteFields } from './members.ts';

/** The chain of a suite's cases and the chain of its project's scorers. */
export type SuiteChain = Extract<Chain, { kind: 'suite' }>;
export type ProjectChain = Extract<Chain, { kind: 'project' }>;

export type StoredSuiteRevision = Revision<SuiteFields>;
export type StoredProjectRevision = Revision<ProjectFields>;

/** A suite as it is in force. */
export interface SuiteInForce {
  readonly head: SuiteHead;
  readonly revision: StoredSuiteRevision;
}

type CaseRevisions = RevisionStore<CaseRow, CaseTexts, SuiteFields>;
type ScorerRevisions = RevisionStore<ScorerRow, ScorerTexts, ProjectFields>;

export type CurrentSuite = Current<CaseRow, CaseTexts, SuiteFields>;
export type CurrentProject = Current<ScorerRow, ScorerTexts, ProjectFields>;
export type EditedSuite = Edited<CaseRow, CaseTexts, SuiteFields>;
export type EditedProject = Edited<ScorerRow, ScorerTexts, ProjectFields>;

/** What every function that reads or edits bars has. */
export interface Revisions {
  readonly cases: CaseRevisions;
  readonly scorers: ScorerRevisions;
}

/** What a function that edits them has beside. */
export interface Chains extends Revisions {
  /** Waits before an edit is tried again that met another one. */
  readonly backoff: (attempt: number) => Promise<void>;
}

export const suiteChain = (
  orgId: string,
  { suiteId, slug, projectId }: Pick<SuiteHead, 'suiteId' | 'slug' | 'projectId'>,
): SuiteChain => ({ kind: 'suite', orgId, id: suiteId, slug, projectId });

export const projectChain = (
  orgId: string,
  { id, slug }: Pick<ProjectHead, 'id' | 'slug'>,
): ProjectChain => ({
  kind: 'project',
  orgId,
  id,
  slug,
});

/** A bar at one moment: the revision of the suite, and that of its project's scorers. */
export interface RevisionIds {
  readonly suite: Position;
  readonly project: Position;
}

/** As a run stores it, and as caches name it. */
export const revisionsName = ({ suite, project }: RevisionIds): string =>
  `${suite.n}.${suite.token}.${project.n}.${project.token}`;

export function revisionsNamed(name: string): RevisionIds {
  const [n, token = '', projectN, projectToken = ''] = name.split('.');
  return { suite: { n: Number(n), token }, project: { n: Number(projectN), token: projectToken } };
}

export const currentOf = (
  { cases }: Pick<Revisions, 'cases'>,
  orgId: string,
  { head, revision }: SuiteInForce,
): CurrentSuite => new Current(cases, suiteChain(orgId, head), revision);

export async function currentSuite(
  { cases }: Pick<Revisions, 'cases'>,
  orgId: string,
  head: SuiteHead,
): Promise<CurrentSuite> {
  const revision = await cases.revision(suiteChain(orgId, head), head.position);
  return currentOf({ cases }, orgId, { head, revision });
}

export async function currentProject(
  { scorers }: Pick<Revisions, 'scorers'>,
  orgId: string,
  head: ProjectHead,
): Promise<CurrentProject> {
  const chain = projectChain(orgId, head);
  return new Current(scorers, chain, await scorers.revision(chain, head.position));
}
