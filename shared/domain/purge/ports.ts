/** How far a walk over the items of something deleted has come. */
export interface PurgePosition {
  /** When the walk began. */
  readonly fromMs: number;
  /** The place it is at, and the item there that it has come to; null: it is before the first. */
  readonly at: { readonly place: string; readonly item: string } | null;
  /** Whether a run was met that is still under way, and may write more. */
  readonly left: boolean;
}

/**
 * A project or suite that was deleted, whose items have yet to get their time to live; or a suite whose results are
 * packed in another way from then on, whose dictionaries of the first format have.
 */
export interface Purge {
  readonly orgId: string;
  readonly kind: 'project' | 'suite' | 'dictionaries';
  readonly id: string;
  readonly deletedAt: string;
  /** Nothing is to be done before. */
  readonly nextAtMs: number;
  /** Null between walks. */
  readonly position: PurgePosition | null;
}

export interface PurgeStore {
  /** Purges that have something to do at this moment. */
  due(nowMs: number): Promise<readonly Purge[]>;
  /**
   * Gives so many items their time to live. Answers where to go on; a position `at` null when the walk has ended.
   * `isLast`: no other is to come unless runs are met that are still under way.
   */
  expire(
    purge: Purge,
    position: PurgePosition,
    step: { readonly limit: number; readonly isLast: boolean },
  ): Promise<PurgePosition>;
  /** False when it is over. */
  save(purge: Purge): Promise<boolean>;
  finish(purge: Purge): Promise<void>;
}
