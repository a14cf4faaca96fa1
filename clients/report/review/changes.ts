/** How cases differ from another run, in the order in which they are shown. */
export const CHANGES = ['newly failing', 'already failing', 'fixed'] as const;
export type Change = (typeof CHANGES)[number];

/** What became of the cases since another run. It decides nothing. */
export interface Comparison {
  /** Whose run it is. Foreign, as is all of the run. */
  readonly branch: string;
  /** Or why there is none. */
  readonly run: ComparedRun | string;
  /** By the ids of cases; those are left out of which it says nothing. */
  readonly changes: ReadonlyMap<string, Change>;
}

interface ComparedRun {
  readonly id: string;
  readonly sha?: string | undefined;
  readonly isSameBar: boolean;
}
