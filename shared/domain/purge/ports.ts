/** The progress of a walk over the items of a deleted resource. */
export interface PurgePosition {
  readonly fromMs: number;
  /** The place and the item that the walk has reached. Null: it has not begun. */
  readonly at: { readonly place: string; readonly item: string } | null;
  /** Whether the walk met a pending run, which may write more items. */
  readonly left: boolean;
}

/**
 * A deleted project or suite whose items still need a time to live; or a suite whose dictionaries of the first
 * format do.
 */
export interface Purge {
  readonly orgId: string;
  readonly kind: 'project' | 'suite' | 'dictionaries';
  readonly id: string;
  readonly deletedAt: string;
  readonly nextAtMs: number;
  /** Null between walks. */
  readonly position: PurgePosition | null;
}

export interface PurgeStore {
  due(nowMs: number): Promise<readonly Purge[]>;
  /**
   * Gives up to `limit` items their time to live. Answers the position reached; its `at` is null when the walk has
   * ended. `isLast`: no further walk follows unless this one meets pending runs.
   */
  expire(
    purge: Purge,
    position: PurgePosition,
    step: { readonly limit: number; readonly isLast: boolean },
  ): Promise<PurgePosition>;
  save(purge: Purge): Promise<boolean>;
  finish(purge: Purge): Promise<void>;
}
