import type { PageQuery } from '../../contracts/base/common.ts';
import type { EvalCase } from '../../contracts/cases.ts';
import type { Project } from '../../contracts/projects.ts';
import type { Scorer } from '../../contracts/scorers.ts';
import type { Suite } from '../../contracts/suites.ts';
import type { Bar } from '../../scoring/verdict/gating.ts';
import type { Created, NotCreated, Page } from '../ports.ts';
import type { Position } from '../revisions/ports.ts';
import type { CaseDocuments, CaseRules } from './bar/rules.ts';
import type { PushedScorer, PushedSuite } from './pushed.ts';

/** A project's head: a small item that every run reads. It exists exactly as long as the project. */
export interface ProjectHead {
  readonly id: string;
  readonly slug: string;
  /** The revision of its scorers that is in force. */
  readonly position: Position;
  /** Grows with every write to a scorer of the project. */
  readonly scorersRevision: number;
  /** Grows with those of them that may change which cases are judged. */
  readonly judgesRevision: number;
}

export interface ProjectStore {
  create(project: Project): Promise<Created>;
  head(orgId: string, slug: string): Promise<ProjectHead | undefined>;
  find(orgId: string, id: string): Promise<Project | undefined>;
  page(orgId: string, query: PageQuery): Promise<Page<Project>>;
  update(orgId: string, id: string, change: (project: Project) => Project): Promise<Project | undefined>;
  delete(project: Project): Promise<boolean>;
}

/** Of active cases. */
export interface CaseCounts {
  readonly cases: number;
  /** How many outputs of theirs a model judges. */
  readonly judged: number;
  /** How many outputs they take beyond one each. */
  readonly extraOutputs: number;
  /** How many of them have no advisory, live or past. */
  readonly gating: number;
}

/** As writes to cases keep them in the suite's head. */
export interface KeptCounts extends CaseCounts {
  /** Of the writes that counted, and the sum of the project's `judgesRevision` that each of them read before. */
  readonly writes: number;
  readonly judgesRevisions: number;
}

/** A suite's head: a small item that every run reads and counts up. It exists exactly as long as the suite. */
export interface SuiteHead {
  readonly suiteId: string;
  readonly slug: string;
  readonly projectId: string;
  readonly projectSlug: string;
  /** The revision that is in force. */
  readonly position: Position;
  /** Grows with every write to the suite or to a case of it. */
  readonly revision: number;
  /** Whether a push is in force that its cases do not say yet. */
  readonly isPushUnderWay: boolean;
  /** Undefined when they are not known at this revision. */
  readonly counts?: KeptCounts | undefined;
  readonly runCount: number;
  /** The latest time of its runs. */
  readonly lastRunAt: string | null;
}

/** A suite with the slug of its project, by which the project's head is found. */
export type StoredSuite = Suite & { readonly project_slug: string } & PushedSuite;

export interface SuiteWithContents {
  readonly suite: StoredSuite;
  readonly scorers: readonly Scorer[];
  readonly cases: readonly EvalCase[];
}

/** What decides beside the cases. */
export interface SuiteBar extends Bar {
  readonly keepOutputs: Suite['keep_outputs'];
}

/** What a run needs of a suite: its active cases in order, each with its scorer, or null when the scorer was deleted. */
export interface SuiteToRun extends SuiteBar {
  /** The suite is larger than one function can hold: its cases come without `expected`. */
  readonly isTooLarge: boolean;
  readonly cases: readonly (Pick<EvalCase, 'id' | 'name' | 'expected' | 'threshold' | 'weight'> &
    CaseRules & {
      readonly scorer: Scorer | null;
      /** The beginning of its input as JSON. Undefined where it was not kept. */
      readonly inputText?: string | undefined;
    })[];
  /** How many cases there may be, if there is too much to read: `cases` is empty then. */
  readonly unread?: number;
  /** About as many were read of the table. */
  readonly bytes: number;
}

/** As it was read case by case, not from a pack. */
export interface ReadSuite extends SuiteToRun {
  readonly cases: readonly (SuiteToRun['cases'][number] & CaseDocuments)[];
}

export interface SuiteStore {
  create(orgId: string, contents: SuiteWithContents): Promise<Created>;
  headsOfSlug(orgId: string, slug: string): Promise<SuiteHead[]>;
  head(orgId: string, slug: string, projectId: string): Promise<SuiteHead | undefined>;
  removeHead(orgId: string, head: SuiteHead): Promise<void>;
  find(orgId: string, id: string): Promise<StoredSuite | undefined>;
  page(orgId: string, projectId: string, query: PageQuery): Promise<Page<Suite>>;
  update(orgId: string, id: string, change: (suite: StoredSuite) => StoredSuite): Promise<Suite | undefined>;
  delete(orgId: string, suite: StoredSuite, deletedAt: string): Promise<boolean>;
  /** `head`: as it was read just before. */
  load(orgId: string, suiteId: string, head?: SuiteHead): Promise<ReadSuite | undefined>;
  /** Keeps what was counted at this revision, unless the suite has changed since. */
  keepCounts(
    orgId: string,
    at: { readonly head: SuiteHead; readonly project: ProjectHead },
    counts: CaseCounts,
  ): Promise<void>;
}

/** For functions that change none. */
export type SuiteReader = Omit<SuiteStore, 'create' | 'update' | 'delete'>;
export type ProjectReader = Omit<ProjectStore, 'create' | 'update' | 'delete'>;

export type ReorderedCase = Omit<EvalCase, 'input' | 'expected'> &
  Partial<Pick<EvalCase, 'input' | 'expected'>>;

export interface CaseStore {
  create(
    orgId: string,
    suite: StoredSuite,
    evalCase: Omit<EvalCase, 'sort_order'>,
  ): Promise<EvalCase | NotCreated>;
  /** Those of the keys that cases of the suite have. */
  takenKeys(orgId: string, suiteId: string, keys: readonly string[]): Promise<ReadonlySet<string>>;
  suiteIdOf(orgId: string, caseId: string): Promise<string | undefined>;
  find(orgId: string, suiteId: string, caseId: string): Promise<EvalCase | undefined>;
  page(orgId: string, suiteId: string, query: PageQuery): Promise<Page<EvalCase>>;
  update(
    orgId: string,
    suite: StoredSuite,
    caseId: string,
    change: (evalCase: EvalCase) => EvalCase,
  ): Promise<EvalCase | 'key_taken' | undefined>;
  delete(orgId: string, suite: StoredSuite, caseId: string, deletedAt: string): Promise<boolean>;
  /**
   * `order` maps the present order to the new one. Returns the cases in the new order, without their documents if
   * these would not fit into an answer. Undefined when the suite is gone.
   */
  reorder(
    orgId: string,
    suite: StoredSuite,
    order: (current: readonly Pick<EvalCase, 'id' | 'is_active'>[]) => readonly string[],
  ): Promise<ReorderedCase[] | undefined>;
}

export type StoredScorer = Scorer & { readonly project_slug: string } & PushedScorer;

export interface ScorerStore {
  create(orgId: string, scorer: StoredScorer): Promise<Created>;
  /** Those of the keys that scorers of the project have. */
  takenKeys(orgId: string, projectId: string, keys: readonly string[]): Promise<ReadonlySet<string>>;
  find(orgId: string, id: string): Promise<StoredScorer | undefined>;
  /** Those of its project whose cases use it, inactive ones included. */
  suitesUsing(orgId: string, scorer: StoredScorer): Promise<readonly StoredSuite[]>;
  page(orgId: string, projectId: string, query: PageQuery): Promise<Page<Scorer>>;
  update(
    orgId: string,
    id: string,
    change: (scorer: StoredScorer) => Promise<StoredScorer>,
  ): Promise<Scorer | 'key_taken' | undefined>;
  delete(orgId: string, scorer: StoredScorer, deletedAt: string): Promise<boolean>;
}
