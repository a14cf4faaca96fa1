export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}

export interface Ambient {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
}

export type NotCreated = 'slug_taken' | 'limit_reached' | 'parent_gone';
export type Created = 'created' | NotCreated;
