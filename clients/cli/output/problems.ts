import { type Problems, problemLine } from '../../files/read/problems.ts';
import { terminalLine } from '../../gate/report/escape.ts';
import { FileProblem } from '../problem.ts';
import type { Terminal } from '../terminal.ts';

const SHOWN_MAX = 100;

/** Prints warnings, and ends the command where something is wrong. */
export function stopAtErrors(problems: Problems, terminal: Terminal): void {
  if (problems.hasErrors) throw new FileProblem(problems);
  printProblems(problems, terminal);
}

/** What is wrong with files, one line each. */
export function printProblems(problems: Problems, terminal: Terminal): void {
  const all = problems.sorted();
  for (const problem of all.slice(0, SHOWN_MAX)) terminal.note(terminalLine(problemLine(problem)));
  const more = Math.max(0, all.length - SHOWN_MAX) + problems.left;
  if (more > 0) terminal.note(`and ${more} more`);
}
