export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}

export interface Ambient {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
}

/** `scorers_limit_reached`: a suite would bring more scorers than its project may have. */
export type Created = 'created' | 'slug_taken' | 'limit_reached' | 'scorers_limit_reached' | 'parent_gone';
