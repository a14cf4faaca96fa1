import type { ImportReport } from './report.ts';
import type { CaseEntry, ImportedOutput, Question, ScorerEntry } from './types.ts';

/** A suite that was made of the tests of another tool, or of a table. */
export interface Imported {
  readonly suite: { readonly slug: string; readonly name: string | undefined };
  readonly scorers: readonly ScorerEntry[];
  readonly cases: readonly CaseEntry[];
  readonly questions: readonly Question[];
  readonly outputs: readonly ImportedOutput[];
  readonly report: ImportReport;
  /** It has one scorer, which somebody completes: another import takes that of the file for all cases. */
  readonly keepsScorer?: true;
  /** What its user has to know last. */
  readonly warning?: string;
}
