/** A walk is one kind of work on one shard, such as `sweep-3`. A position is a place in the list that it walks. */
export interface PositionStore {
  /** Null: from the beginning. */
  at(walk: string): Promise<string | null>;
  save(walk: string, position: string | null): Promise<void>;
}

/** `last`: the place to go on after, null at the end of the list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly last: string | null;
}
