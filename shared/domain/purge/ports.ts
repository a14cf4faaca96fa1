export interface PurgePosition {
  readonly fromMs: number;
  /** The place and the item that the walk has reached. Null: it has not begun. */
  readonly at: { readonly place: string; readonly item: string } | null;
  /** Whether the walk met a pending run, which may write more items. */
  readonly left: boolean;
}

/** A deleted project or suite whose items need a time to live, or a suite with texts of deleted cases. */
export interface Purge {
  readonly orgId: string;
  readonly kind: 'project' | 'suite' | 'texts';
  readonly id: string;
  readonly deletedAt: string;
  readonly nextAtMs: number;
  /** Null between walks. */
  readonly position: PurgePosition | null;
}

export interface PurgeStore {
  due(nowMs: number): Promise<readonly Purge[]>;
  /** `isLast`: no walk follows unless this one meets pending runs. The answer's `at` is null at the end. */
  expire(
    purge: Purge,
    position: PurgePosition,
    step: { readonly limit: number; readonly isLast: boolean },
  ): Promise<PurgePosition>;
  save(purge: Purge): Promise<boolean>;
  finish(purge: Purge): Promise<void>;
}
