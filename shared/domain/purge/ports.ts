import type { Block } from '../revisions/blocks.ts';
import type { Chain, Position, Revision } from '../revisions/ports.ts';

/** How far the purge of a chain's texts has come, as numbers of revisions. */
export interface TextsPosition {
  /** What was written by edits that ended before `ms`, up to this revision, is in force, or dropped. */
  readonly settled: { readonly n: number; readonly ms: number };
  /** Texts of members that were deleted up to this revision are erased everywhere. */
  readonly erased: number;
  /** Texts that were replaced up to this revision are dropped. */
  readonly dropped: number;
}

/** Of a suite or project that was deleted. */
export interface DeletedPurge {
  readonly kind: 'suite' | 'project';
  readonly orgId: string;
  readonly id: string;
  readonly deletedAt: string;
  readonly nextAtMs: number;
}

/** Of an organisation whose deletion was begun, or taken back. */
export interface OrganisationPurge {
  readonly kind: 'organisation';
  readonly orgId: string;
  readonly id: string;
  /** Of the organisation, when that happened. */
  readonly version: number;
  /** Whether its credentials and its billing have ended. */
  readonly isClosed: boolean;
  readonly nextAtMs: number;
}

/** Of what a suite or project that lives needs no more. */
export interface TextsPurge {
  readonly kind: 'texts';
  readonly chain: Chain;
  readonly position: TextsPosition;
  /** When an edit last said that it will leave something behind. */
  readonly announcedAtMs: number;
  readonly nextAtMs: number;
}

/** A revision that an edit wrote, which is or was in force or never will be. */
export interface Attempt extends Position {
  readonly previous: string | null;
  /** Of the items with rows and texts that its edit wrote for it. */
  readonly names: readonly string[];
}

export type KeptRevision = Pick<
  Revision<unknown>,
  'n' | 'token' | 'previous' | 'at' | 'blocks' | 'lastNumber' | 'erased'
>;

export interface TextsStore {
  /** Undefined where the suite or project is gone. */
  position(chain: Chain): Promise<Position | undefined>;
  /** Whether the suite or project was made, and not everything of it dropped. */
  isPlaced(chain: Chain): Promise<boolean>;
  /** All from this number on. */
  attempts(chain: Chain, from: number): Promise<readonly Attempt[]>;
  /** Undefined before the first edit. */
  revision(chain: Chain, position: Position): Promise<KeptRevision | undefined>;
  /** The first ones from this number on. */
  revisions(chain: Chain, from: number, limit: number): Promise<readonly KeptRevision[]>;
  dropRevisions(chain: Chain, revisions: readonly Position[]): Promise<void>;
  /** Of the items with rows, texts and baselines whose edits began at these moments those with such names. */
  dropBlocks(
    chain: Chain,
    edits: { readonly fromMs: number; readonly toMs: number },
    isLost: (name: string) => boolean,
  ): Promise<void>;
  dropTexts(chain: Chain, blocks: readonly Block[]): Promise<void>;
  /** Puts the texts of a block back without those of some members. */
  erase(chain: Chain, block: Block, numbers: ReadonlySet<number>): Promise<void>;
  /** Of a chain without place. */
  dropAll(chain: Chain): Promise<void>;
  /** Unless the purge has ended. */
  save(purge: TextsPurge): Promise<void>;
  /** Unless an edit has announced one since. */
  finish(purge: TextsPurge): Promise<void>;
}

/** Each answers false where time ran out before all was dropped, and may be called again. */
export interface DeletedStore {
  isAlive(purge: DeletedPurge): Promise<boolean>;
  dropTexts(purge: DeletedPurge, hasTime: () => boolean): Promise<boolean>;
  dropAll(purge: DeletedPurge, hasTime: () => boolean): Promise<boolean>;
  save(purge: DeletedPurge): Promise<void>;
  finish(purge: DeletedPurge): Promise<void>;
}

export interface OrganisationPurgeStore {
  /** Says in all keys of the organisation what it says itself. */
  markKeys(orgId: string, deletesAt: string | undefined): Promise<void>;
  /** From now on its deletion can't be taken back. False where it was, or is gone. */
  close(orgId: string, closedAt: string): Promise<boolean>;
  /** Its credentials end, and the organisation itself. */
  endAccess(orgId: string): Promise<void>;
  /** False where time ran out before all was dropped. */
  dropAll(orgId: string, hasTime: () => boolean): Promise<boolean>;
  /** Both unless its deletion was begun or taken back since. */
  save(purge: OrganisationPurge): Promise<void>;
  finish(purge: OrganisationPurge): Promise<void>;
}

export type Purge = DeletedPurge | TextsPurge | OrganisationPurge;

export interface PurgeStore {
  due(nowMs: number): Promise<readonly Purge[]>;
  readonly deleted: DeletedStore;
  readonly texts: TextsStore;
  readonly organisations: OrganisationPurgeStore;
}
