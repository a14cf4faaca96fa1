/** A query of RFC 9535. In a filter it may begin at the current node, `@`. */
export interface Query {
  readonly isRelative: boolean;
  readonly segments: readonly Segment[];
}

export interface Segment {
  readonly isDescendant: boolean;
  readonly selectors: readonly Selector[];
}

export type Selector =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'index'; readonly index: number }
  | {
      readonly kind: 'slice';
      readonly start: number | undefined;
      readonly end: number | undefined;
      readonly step: number;
    }
  | { readonly kind: 'filter'; readonly test: Test };

export const COMPARISONS = ['==', '!=', '<=', '>=', '<', '>'] as const;

export type Test =
  | { readonly kind: 'or' | 'and'; readonly tests: readonly Test[] }
  | { readonly kind: 'not'; readonly test: Test }
  | { readonly kind: 'exists'; readonly query: Query }
  | { readonly kind: 'matches'; readonly text: Operand; readonly pattern: RegExp }
  | Comparison;

export interface Comparison {
  readonly kind: 'comparison';
  readonly by: (typeof COMPARISONS)[number];
  readonly left: Operand;
  readonly right: Operand;
}

export type Operand =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'length'; readonly of: Operand }
  /** The one value of a query; `count` is how many nodes it selects. */
  | { readonly kind: 'value' | 'count'; readonly query: Query };

/** What is wrong with a path, and where. */
export class PathError extends Error {}
