export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}

export interface Ambient {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
}

/**
 * `key_taken`: another one has the key, or that of a scorer that a suite brings. `scorers_limit_reached`: a suite would
 * bring more scorers than its project may have.
 */
export type NotCreated =
  | 'slug_taken'
  | 'key_taken'
  | 'limit_reached'
  | 'scorers_limit_reached'
  | 'parent_gone';
export type Created = 'created' | NotCreated;
