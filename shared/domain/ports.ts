import type { ApiKey, Organisation, PlanId } from '../contracts/auth.ts';
import type { PageQuery } from '../contracts/base/common.ts';
import type { Credential } from '../contracts/base/credentials.ts';
import type { ProviderValue } from '../contracts/base/providers.ts';
import type { Scope } from '../contracts/base/scopes.ts';
import type { EvalCase } from '../contracts/cases.ts';
import type { Project } from '../contracts/projects.ts';
import type { Run, RunResult } from '../contracts/runs.ts';
import type { Scorer } from '../contracts/scorers.ts';
import type { Suite } from '../contracts/suites.ts';
import type { TokenClaims } from './accounts/tokens.ts';
import type { DayFigures } from './analytics/figures.ts';
import type { Candidate } from './runs/candidate.ts';
import type { IdempotencyClaim } from './runs/idempotency.ts';
import type { Quota } from './runs/quota.ts';

/** Who is calling, as the credential says. */
export interface Principal {
  readonly orgId: string;
  readonly credential: Credential;
  readonly plan: PlanId;
  /** Runs created before were past the retention of a former plan: gone, whatever the plan is by now. */
  readonly retainedFrom: string | null;
  /** The one project the credential may use; null means all. */
  readonly projectId: string | null;
  readonly scope: Scope;
}

/** An API key may be exchanged for tokens, and it is noted when it was used. */
export interface KeyPrincipal extends Principal {
  readonly lastUsedAt: string | null;
  readonly expiresAt: string | null;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}

/** What the domain needs of the world besides its stores. */
export interface Ambient {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
}

/** `scorers_limit_reached`: a suite would bring more scorers than its project may have. */
export type Created = 'created' | 'slug_taken' | 'limit_reached' | 'scorers_limit_reached' | 'parent_gone';

export interface AccountStore {
  create(organisation: Organisation, key: ApiKey & { sha256: string }): Promise<void>;
  /** Undefined for a key that is unknown, revoked or expired. */
  principalOfKey(sha256: string): Promise<KeyPrincipal | undefined>;
  /** Takes note that a key was used, unless that was noted after `notAfter`. */
  touchKey(sha256: string, at: string, notAfter: string): Promise<void>;
  /** Undefined when what the token was made for is gone. */
  principalOfToken(claims: TokenClaims): Promise<Principal | undefined>;
}

/** A project's head: small, read on every run, there exactly as long as the project lives. */
export interface ProjectHead {
  readonly id: string;
  readonly slug: string;
  /** Grows with every write to a scorer of the project. */
  readonly scorersRevision: number;
}

export interface ProjectStore {
  create(project: Project): Promise<Created>;
  head(orgId: string, slug: string): Promise<ProjectHead | undefined>;
  find(orgId: string, id: string): Promise<Project | undefined>;
  page(orgId: string, query: PageQuery): Promise<Page<Project>>;
  /** Undefined when it is gone. */
  update(orgId: string, id: string, change: (project: Project) => Project): Promise<Project | undefined>;
  /** False when it was gone already. */
  delete(project: Project): Promise<boolean>;
}

/** A suite's head: small, read and counted up by every run, there exactly as long as the suite lives. */
export interface TimeFall {
  /** Of the first run of the earlier time. */
  readonly number: number;
  /** The time that the run before it is ordered by. */
  readonly from: string;
}

export interface SuiteHead {
  readonly suiteId: string;
  readonly slug: string;
  readonly projectId: string;
  readonly projectSlug: string;
  /** Grows with every write to the suite or to a case of it. */
  readonly revision: number;
  readonly runCount: number;
  /** When the newest run was created. */
  readonly lastRunAt: string | null;
  /** The time that the newest run is ordered by: its own, unless the clocks of runs differ often. */
  readonly orderedAt: string | null;
  /** Where the times of runs do not rise with their numbers, in their order: a clock was wrong. */
  readonly falls: readonly TimeFall[];
  /** Whether the version before may have left dictionaries of results that have no time to live. */
  readonly hasOldDictionaries: boolean;
  /** What the runs of the day of `lastRunAt` have come to so far. */
  readonly latestDay: DayFigures;
}

/** A suite, with the slug of its project to find out whether that lives. */
export type StoredSuite = Suite & { readonly project_slug: string };

export interface SuiteWithContents {
  readonly suite: StoredSuite;
  readonly scorers: readonly Scorer[];
  readonly cases: readonly EvalCase[];
}

/** What a run needs of a suite: its active cases in order, each with its scorer or null when that is gone. */
export interface SuiteToRun {
  readonly passThreshold: number;
  /** More than one function can hold: the cases are there without what they expect. */
  readonly isTooLarge: boolean;
  readonly cases: readonly (Pick<EvalCase, 'id' | 'name' | 'expected' | 'threshold' | 'weight'> & {
    readonly scorer: Scorer | null;
  })[];
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
  /** Undefined when it is gone. */
  load(orgId: string, suiteId: string): Promise<SuiteToRun | undefined>;
}

export type ReorderedCase = Omit<EvalCase, 'input' | 'expected'> &
  Partial<Pick<EvalCase, 'input' | 'expected'>>;

export interface CaseStore {
  create(
    orgId: string,
    suite: StoredSuite,
    evalCase: Omit<EvalCase, 'sort_order'>,
  ): Promise<EvalCase | Created>;
  suiteIdOf(orgId: string, caseId: string): Promise<string | undefined>;
  find(orgId: string, suiteId: string, caseId: string): Promise<EvalCase | undefined>;
  page(orgId: string, suiteId: string, query: PageQuery): Promise<Page<EvalCase>>;
  update(
    orgId: string,
    suite: StoredSuite,
    caseId: string,
    change: (evalCase: EvalCase) => EvalCase,
  ): Promise<EvalCase | undefined>;
  delete(orgId: string, suite: StoredSuite, caseId: string, deletedAt: string): Promise<boolean>;
  /**
   * `order` gets all cases in their present order and answers the new one. Answers the cases in it, without their
   * documents where these are more than an answer holds. Undefined when the suite is gone.
   */
  reorder(
    orgId: string,
    suite: StoredSuite,
    order: (current: readonly Pick<EvalCase, 'id' | 'is_active'>[]) => readonly string[],
  ): Promise<ReorderedCase[] | undefined>;
}

/** A scorer, with the slug of its project to find out whether that lives. */
export type StoredScorer = Scorer & { readonly project_slug: string };

/** What is wrong with the model that a judge is to ask, in words for its author; undefined when nothing is. */
export type CheckModel = (provider: ProviderValue, model: string) => string | undefined;

export interface ScorerStore {
  create(orgId: string, scorer: StoredScorer): Promise<Created>;
  find(orgId: string, id: string): Promise<StoredScorer | undefined>;
  page(orgId: string, projectId: string, query: PageQuery): Promise<Page<Scorer>>;
  update(
    orgId: string,
    id: string,
    change: (scorer: StoredScorer) => Promise<StoredScorer>,
  ): Promise<Scorer | undefined>;
  delete(orgId: string, scorer: StoredScorer, deletedAt: string): Promise<boolean>;
}

/** A run with the project it belongs to. */
export type StoredRun = Run & {
  readonly project_id: string;
  readonly project_slug: string;
  /** Only a run that was accepted to be evaluated later has it. */
  readonly suite_slug?: string | undefined;
};
export type ScoredCase = Omit<RunResult, 'id' | 'run_id'>;

type NewRunFields = Omit<Run, 'id' | 'suite_id' | 'created_at' | 'completed_at'>;

/** A run that is scored but has no number, and so no id, yet. */
export interface FinishedRun {
  readonly orgId: string;
  readonly head: SuiteHead;
  /** Names what the results were made from: results of one revision are packed against the same. */
  readonly revision: string;
  readonly run: NewRunFields;
  readonly results: readonly ScoredCase[];
  /** What results of this revision say whatever the output, one for each of them: asked for when it is not stored yet. */
  readonly repeated: () => readonly ScoredCase[];
  readonly idempotency: IdempotencyClaim | undefined;
  readonly startedAtMs: number;
  readonly completedAtMs: number;
  readonly retentionDays: number;
  /** Undefined where the plan blocks nothing. */
  readonly quota: Quota | undefined;
}

/** A run that is accepted and will be evaluated later. */
export interface Admission {
  readonly orgId: string;
  readonly head: SuiteHead;
  readonly run: NewRunFields;
  readonly candidate: Candidate;
  readonly idempotency: IdempotencyClaim | undefined;
  readonly startedAtMs: number;
  readonly retentionDays: number;
  /** Undefined where the plan blocks nothing. */
  readonly quota: Quota | undefined;
}

export interface RunStore {
  /**
   * Stores a pending run and counts its usage, together or not at all. Undefined: the suite is gone. Throws
   * USAGE_LIMIT_EXCEEDED when the quota is used up, and so does `commit`.
   */
  admit(admission: Admission): Promise<Run | undefined>;
  /** Run, results, the suite's counter, its day and the month's usage, together or not at all. Undefined: the suite is gone. */
  commit(finished: FinishedRun): Promise<Run | undefined>;
  find(orgId: string, runId: string): Promise<StoredRun | undefined>;
  results(orgId: string, runId: string): Promise<RunResult[] | undefined>;
  /** `since`: older runs are past the plan's retention. */
  page(orgId: string, head: SuiteHead, since: string, query: PageQuery): Promise<Page<Run>>;
}
