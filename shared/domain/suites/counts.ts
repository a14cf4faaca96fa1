import type { CaseCounts, ProjectHead, SuiteHead } from './ports.ts';

/**
 * Undefined when they are not known. A revision never falls, so the sum is as many times the present one only if
 * every write read the present one: then all counted the same scorers as judges that are judges now.
 */
export function countsAt({
  head,
  project,
}: {
  readonly head: SuiteHead;
  readonly project: ProjectHead;
}): CaseCounts | undefined {
  const { counts } = head;
  if (counts === undefined) return undefined;
  return counts.judgesRevisions === counts.writes * project.judgesRevision ? counts : undefined;
}
