import { safeJson } from '../escape.ts';
import type { Report } from '../types.ts';

/** The run and its results as on the wire, as one object. */
export const jsonReport = ({ run, results, isComplete }: Report): string =>
  `${safeJson({ run, results, results_complete: isComplete }, 2)}\n`;

/** One result a line. */
export const jsonlReport = ({ results }: Report): string =>
  results.map((result) => `${safeJson(result)}\n`).join('');
