import type { Words } from '../words.ts';

/** How cases differ from another run, in the order in which they are shown. */
export const CHANGES = ['newly failing', 'already failing', 'fixed'] as const;
export type Change = (typeof CHANGES)[number];

/** What became of the cases since other runs: those of the baseline, else one of the base branch. */
export interface Comparison {
  /** Whether it got worse, and since when. */
  readonly sentences: readonly Words[];
  /** Where cases fail already: ` on main`. */
  readonly where: Words;
  /** By the ids of cases; those are left out of which it says nothing. */
  readonly changes: ReadonlyMap<string, Change>;
  /** Where `changes` may not be all. */
  readonly counts?: Partial<Readonly<Record<Change, number>>> | undefined;
}
