import type { EvalCase } from '../../contracts/cases.ts';
import type { CaseDocuments } from '../suites/bar/rules.ts';
import type { PackedSuite } from '../suites/packs/packedSuites.ts';
import type { CaseCounts, ProjectHead, StoredScorer, StoredSuite, SuiteHead } from '../suites/ports.ts';

/** How often each suite, scorer and case was written, by their ids. */
export type Versions = ReadonlyMap<string, number>;

/** A suite with all that it holds, inactive cases included. */
export interface WholeSuite {
  readonly suite: StoredSuite;
  /** Those that its cases use, by their ids. One that was deleted is not there. */
  readonly scorers: ReadonlyMap<string, StoredScorer>;
  /** In their order. */
  readonly cases: readonly (EvalCase & CaseDocuments)[];
  readonly versions: Versions;
  /** Ids of the cases whose `expected` lies in an item of its own. */
  readonly large: ReadonlySet<string>;
}

interface Writes<T> {
  readonly made: readonly T[];
  readonly changed: readonly T[];
  readonly deleted: readonly T[];
}

/** What a push puts in force as a whole. */
export interface SuitePush {
  readonly id: string;
  readonly at: string;
  /** It fails when anything has changed since these were read. No head: the push makes the suite. */
  readonly before: {
    readonly head: SuiteHead | undefined;
    readonly project: ProjectHead;
    readonly versions: Versions;
    readonly large: WholeSuite['large'];
    readonly newestJob: string | undefined;
  };
  readonly suite: StoredSuite;
  readonly scorers: Writes<StoredScorer>;
  /** Those of the changed scorers that cases of other suites use. */
  readonly shared: ReadonlySet<string>;
  /** Whether no case is judged that was not, and the reverse, but for cases that are written themselves. */
  readonly keepsJudges: boolean;
  readonly cases: Writes<EvalCase>;
  /** What runs take the suite from until the push is written out. Undefined without an active case. */
  readonly pack: { readonly revision: string; readonly suite: PackedSuite } | undefined;
  /** All cases, in their order. */
  readonly caseIds: readonly string[];
  readonly counts: CaseCounts;
}

export interface RecordedPush {
  readonly suite: StoredSuite;
  /** Of its head, as it was read. */
  readonly revision: number;
  /** As it was read. */
  readonly newestJob: string | undefined;
}

/** `changed`: something has changed since it was read. */
export type Pushed = 'pushed' | 'changed' | 'suites_limit' | 'scorers_limit' | 'too_many_shared';

/** By the ids of the scorers that their cases use, inactive ones included. */
export type SuitesByScorer = ReadonlyMap<string, readonly StoredSuite[]>;

type HeadOfPush = Pick<SuiteHead, 'slug' | 'projectId' | 'isPushUnderWay'>;

export interface DefinitionStore {
  /**
   * `head`: as it was read just before. `too_large`: more bytes than a request can read and answer. Undefined for a suite
   * that is gone.
   */
  read(orgId: string, suiteId: string, head: HeadOfPush): Promise<WholeSuite | 'too_large' | undefined>;
  /** Those of a project that have these keys. */
  scorersByKey(
    orgId: string,
    project: Pick<ProjectHead, 'id' | 'slug'>,
    keys: readonly string[],
  ): Promise<{ readonly scorers: readonly StoredScorer[]; readonly versions: Versions }>;
  /** The project's other suites. */
  usesElsewhere(orgId: string, suite: StoredSuite): Promise<SuitesByScorer>;
  push(orgId: string, push: SuitePush): Promise<Pushed>;
  /** Writes out a push that has died. */
  settle(orgId: string, suiteId: string): Promise<void>;
  /** That a job has pushed the suite, whose push changes nothing. False when the suite has changed meanwhile. */
  recordPush(orgId: string, pushed: RecordedPush): Promise<boolean>;
}
