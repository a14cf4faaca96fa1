import type { Chain, Position, Revision, RevisionStore } from '../revisions/ports.ts';
import type { CaseRow, CaseTexts, ProjectFields, ScorerRow, ScorerTexts, SuiteFields } from './members.ts';
import type { ProjectHead, SuiteHead } from './ports.ts';

/** The chain of a suite's cases and the chain of its project's scorers. */
export type SuiteChain = Extract<Chain, { kind: 'suite' }>;
export type ProjectChain = Extract<Chain, { kind: 'project' }>;

export type SuiteRevision = Revision<SuiteFields>;
export type ProjectRevision = Revision<ProjectFields>;

export type CaseRevisions = RevisionStore<CaseRow, CaseTexts, SuiteFields>;
export type ScorerRevisions = RevisionStore<ScorerRow, ScorerTexts, ProjectFields>;

/** What every function that reads or edits bars has. */
export interface Revisions {
  readonly cases: CaseRevisions;
  readonly scorers: ScorerRevisions;
}

export const suiteChain = (
  orgId: string,
  { suiteId, slug, projectId }: Pick<SuiteHead, 'suiteId' | 'slug' | 'projectId'>,
): SuiteChain => ({ kind: 'suite', orgId, id: suiteId, slug, projectId });

export const projectChain = (
  orgId: string,
  { id, slug }: Pick<ProjectHead, 'id' | 'slug'>,
): ProjectChain => ({
  ...{ kind: 'project', orgId, id, slug },
});

/** A bar at one moment: the revision of the suite, and that of its project's scorers. */
export interface Pair {
  readonly suite: Position;
  readonly project: Position;
}

/** As a run stores it, and as caches name it. */
export const pairName = ({ suite, project }: Pair): string =>
  `${suite.n}.${suite.token}.${project.n}.${project.token}`;

export function pairNamed(name: string): Pair {
  const [n, token = '', projectN, projectToken = ''] = name.split('.');
  return { suite: { n: Number(n), token }, project: { n: Number(projectN), token: projectToken } };
}
