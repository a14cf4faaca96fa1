import type { JudgeIdentity, JudgeModel } from '../bar/judgeIdentity.ts';
import type { Gating } from '../bar/rules.ts';
import type { SuiteBar } from '../ports.ts';
import type { Judges, PlannedCase } from './plannedCase.ts';

export interface SuiteRevision {
  readonly orgId: string;
  readonly suiteId: string;
  readonly revision: string;
}

/** A deployment that asks other models, or asks them otherwise, has another digest, and so packs of its own. */
export const packRevision = (revision: string, judgeIdentity: JudgeIdentity): string =>
  `${judgeIdentity.version}.${revision}`;

export interface ChunksPlace {
  readonly orgId: string;
  readonly suiteId: string;
  /** Names them: no other writer uses it. */
  readonly planner: string;
  /** When the run began that they are written for: they last until it has ended. */
  readonly startedAtMs: number;
}

/** The active cases of a suite with their scorers, at one revision, in chunks. It never changes. */
export interface PackedSuite extends SuiteBar, Gating {
  readonly planner: string;
  readonly chunks: number;
  readonly totalCases: number;
  /** Outputs that a model judges. */
  readonly judgedCases: number;
  /** Those that cases take beyond the first. */
  readonly extraOutputs: number;
  readonly suiteDigest: string;
  /** The chunks with cases that a model of the provider judges. */
  readonly judges: Judges;
  readonly judgeModels: readonly JudgeModel[];
  readonly expectedCharacters: number;
}

/** A suite is packed once a revision, by the first run that has to read its cases, and read so by all others. */
export interface PackStore {
  /** Whether to pack what was read: false while another function does, and once it did. */
  claimPack(at: SuiteRevision, nowMs: number): Promise<boolean>;
  saveChunk(place: ChunksPlace, chunk: number, cases: readonly PlannedCase[]): Promise<void>;
  /** Only for chunks that hold exactly this revision: it was the suite's before they were read and afterwards. */
  savePack(at: SuiteRevision, pack: PackedSuite, startedAtMs: number): Promise<void>;
  /** Undefined when there is none that lasts until a run that began then has ended. Its use prolongs it. */
  pack(at: SuiteRevision, startedAtMs: number): Promise<PackedSuite | undefined>;
  /** Its use writes nothing: its cases may expire at any time. */
  findPack(at: SuiteRevision, nowMs: number): Promise<PackedSuite | undefined>;
  /** All of its cases in order, equal scorers as one object. Undefined when they have expired. */
  packedCases(at: SuiteRevision, pack: PackedSuite): Promise<PlannedCase[] | undefined>;
}
