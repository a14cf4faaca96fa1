import type { PageQuery } from '../../contracts/base/common.ts';
import type { Credential } from '../../contracts/base/credentials.ts';
import type { EvalCase } from '../../contracts/cases.ts';
import type { Project } from '../../contracts/projects.ts';
import type { Suite } from '../../contracts/suites.ts';
import type { GateSettings } from '../../scoring/verdict/gating.ts';
import type { LoggedChange } from '../changes/log.ts';
import type { Created, Page } from '../ports.ts';
import type { Position, Revision } from '../revisions/ports.ts';
import type { SuiteInForce } from './chains/chains.ts';
import type { CaseTexts } from './chains/members.ts';
import type { ProjectHead, StoredSuite, SuiteHead } from './stored.ts';

/** For functions that change none. */
export interface ProjectReader {
  head(orgId: string, slug: string): Promise<ProjectHead | undefined>;
  /** The head of the project that has this id, or a scorer with this id if there is one. */
  holding(orgId: string, id: string): Promise<ProjectHead | undefined>;
  find(orgId: string, id: string): Promise<Project | undefined>;
  page(orgId: string, query: PageQuery): Promise<Page<Project>>;
}

export interface ProjectStore extends ProjectReader {
  create(project: Project, log: LoggedChange): Promise<Created | 'id_taken'>;
  update(
    orgId: string,
    id: string,
    change: (project: Project) => Project,
    log: (before: Project, after: Project) => LoggedChange,
  ): Promise<Project | undefined>;
  delete(project: Project, log: LoggedChange): Promise<boolean>;
}

/** What decides beside the cases. */
export interface SuiteSettings extends GateSettings {
  readonly keepOutputs: Suite['keep_outputs'];
}

/** As long as anything of it is stored. */
export interface DeletedSuite {
  readonly head: SuiteHead;
  readonly at: string;
  readonly by: Credential;
  /** Of its project's scorers, as they were then. */
  readonly scorers: Position;
}

/** For functions that change none. */
export interface SuiteReader {
  headsOfSlug(orgId: string, slug: string): Promise<SuiteHead[]>;
  head(orgId: string, slug: string, projectId: string): Promise<SuiteHead | undefined>;
  /** The suite that has this id, or a case with this id if there is one. */
  holding(orgId: string, id: string): Promise<SuiteInForce | undefined>;
  find(orgId: string, id: string): Promise<StoredSuite | undefined>;
  ofProject(orgId: string, projectId: string): Promise<readonly SuiteInForce[]>;
  page(orgId: string, projectId: string, query: PageQuery): Promise<Page<StoredSuite>>;
  removeHead(orgId: string, head: SuiteHead): Promise<void>;
  /** The one with this id. */
  deleted(orgId: string, suiteId: string): Promise<DeletedSuite | undefined>;
  /** All that had a slug in a project, the one that was deleted last first. */
  deletedUnder(
    orgId: string,
    place: { readonly slug: string; readonly projectId: string },
  ): Promise<readonly DeletedSuite[]>;
}

/** Revisions of a suite and of its project's scorers that are put in force together. */
export interface RevisionsCommit {
  readonly suite: StoredSuite;
  /** Undefined for a suite that is made. */
  readonly before: Position | undefined;
  readonly after: Pick<Revision<unknown>, 'n' | 'token' | 'at' | 'by'>;
  readonly project: ProjectHead;
  /** `unchanged`: they are as the project's head says. `any`: they may be changed meanwhile. */
  readonly scorers: Position | 'unchanged' | 'any';
}

export interface SuiteStore extends SuiteReader {
  /** `changed`: another edit came first, or something is gone, and nothing is in force. */
  commit(orgId: string, commit: RevisionsCommit): Promise<Created | 'id_taken' | 'changed'>;
  /** `expected`: it is deleted only if this is in force. `changed`: another one is. */
  delete(
    orgId: string,
    suite: StoredSuite,
    deleted: Omit<DeletedSuite, 'head'> & { readonly expected: Position | undefined },
  ): Promise<'deleted' | 'changed' | 'gone'>;
}

/** Without its texts where all of them would not fit into an answer. */
export type ReorderedCase = Omit<EvalCase, keyof CaseTexts> & Partial<EvalCase>;
