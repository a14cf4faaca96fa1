import { counted } from '../numbers.ts';
import { inOrder } from '../results.ts';
import type { Report, ReportedResult } from '../types.ts';
import { joined, plain, type Words } from '../words.ts';
import { CHANGES, type Change } from './changes.ts';

/** Results that are shown under one title. */
export interface Section {
  readonly title: Words;
  readonly results: readonly ReportedResult[];
  /** How many there are, also of those that were not read. */
  readonly count: number;
  /** Whether a reader has to do something about them. */
  readonly isUrgent: boolean;
  /** Whether they passed before. */
  readonly isNew: boolean;
}

/** What became of cases since another run, then all others that did not pass. */
export function sectionsOf({ run, results, comparison, areHidden }: Report): readonly Section[] {
  if (areHidden) return [];
  const ordered = inOrder(results);
  const changes = comparison?.changes ?? new Map<string, Change>();
  const compared = CHANGES.map((change): Section => {
    const ofChange = ordered.filter(({ case_id }) => changes.get(case_id) === change);
    const where = (change === 'already failing' && comparison?.where) || plain('');
    const count = Math.max(ofChange.length, comparison?.counts?.[change] ?? 0);
    const title = joined([plain(`${count} ${change}`), where], '');
    const isNew = change === 'newly failing';
    return { title, results: ofChange, count, isUrgent: isNew, isNew };
  }).filter(({ count }) => count > 0);
  const otherFailing = ordered.filter(({ passed, case_id }) => !passed && !changes.has(case_id));
  const failing = compared.flatMap((section) => section.results).filter(({ passed }) => !passed).length;
  const known = run.failed_cases + (run.advisory_failed_cases ?? 0) - failing;
  const count = Math.max(otherFailing.length, known);
  if (count === 0) return compared;
  // Newly failing ones that no list names are among them.
  const areOthers =
    compared.length > 0 && !compared.some((one) => one.isUrgent && one.count > one.results.length);
  const title = plain(`${counted(count, areOthers ? 'other case' : 'case')} that did not pass`);
  return [...compared, { title, results: otherFailing, count, isUrgent: true, isNew: false }];
}
