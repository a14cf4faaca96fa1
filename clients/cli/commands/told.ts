import { type Problems, problemLine } from '../../suites/read/problems.ts';

/** What a command of files has of its process. */
export interface CommandIo {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTty: boolean;
}

/** Exit codes of all commands: 1 is a verdict, and nothing else. */
export const EXIT = { done: 0, aborted: 1, callerMustChange: 2, noVerdict: 3 } as const;

const SHOWN_MAX = 100;

/** What is wrong with files, on stderr. */
export function tellProblems(problems: Problems, { stderr }: Pick<CommandIo, 'stderr'>): void {
  const all = problems.sorted();
  for (const problem of all.slice(0, SHOWN_MAX)) stderr(`${problemLine(problem)}\n`);
  const more = Math.max(0, all.length - SHOWN_MAX) + problems.left;
  if (more > 0) stderr(`and ${more} more\n`);
}

export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
