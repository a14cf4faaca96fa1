import type { Fields, Judge, Scorer } from '../../imports/types.ts';

/** An assertion as it would be run there: templates filled in, files read. */
export interface Assertion {
  /** Without `not-`. */
  readonly type: string;
  readonly isNegated: boolean;
  readonly value: unknown;
  /** A number, or undefined. */
  readonly threshold: unknown;
  readonly normalizeUnicode: unknown;
  /** Who judges: of the assertion, else of the test. */
  readonly provider: unknown;
  readonly rubricPrompt: unknown;
  readonly factuality: unknown;
  /** For assertions that name no judge, or none that is known here. */
  readonly fallback: Judge | undefined;
  /** Those of the test. None where it changes them. */
  readonly vars: Fields;
  /** The names of the tools that every provider has, where they are known and the same. */
  readonly tools: () => readonly string[] | undefined;
}

/** The like of an assertion here, or why there is none. */
export type Mapped =
  | {
      readonly scorer: Scorer;
      readonly expected?: unknown;
      readonly threshold?: number;
      /** What is not the same as there. */
      readonly differences?: readonly string[];
    }
  | { readonly why: string };

export type Mapping = (assertion: Assertion) => Mapped;

export const NOT_NEGATED: Mapped = { why: 'its negation has no like here' };
