import { type Problems, problemLine } from '../files/read/problems.ts';

/** The caller has to change something: the message says what. Nothing was judged. */
export class Problem extends Error {
  override readonly name = 'Problem';
}

const SHOWN_MAX = 20;

/** Ends the step where something is wrong with files, each mistake with its place. */
export function stopAtErrors(problems: Problems): void {
  if (!problems.hasErrors) return;
  const lines = problems.sorted().filter(({ severity }) => severity === 'error');
  const more = problems.errorCount - Math.min(lines.length, SHOWN_MAX);
  const shown = lines.slice(0, SHOWN_MAX).map(problemLine);
  throw new Problem([...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'));
}
