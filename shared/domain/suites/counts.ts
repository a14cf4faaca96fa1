/** Active cases, and those among them that a model judges. */
export interface CaseCounts {
  readonly cases: number;
  readonly judged: number;
}

/** As writes to cases keep them in the suite's head. */
export interface KeptCounts extends CaseCounts {
  /** Of the writes that counted, and the sum of the project's `judgesRevision` that each of them read before. */
  readonly writes: number;
  readonly judgesRevisions: number;
}

/**
 * Undefined when they are not known. A revision never falls, so the sum is as many times the present one only if
 * every write read the present one: then all counted the same scorers as judges that are judges now.
 */
export function countsAt({
  head,
  project,
}: {
  readonly head: { readonly counts?: KeptCounts | undefined };
  readonly project: { readonly judgesRevision: number };
}): CaseCounts | undefined {
  const { counts } = head;
  if (counts === undefined) return undefined;
  return counts.judgesRevisions === counts.writes * project.judgesRevision ? counts : undefined;
}
