/** An output of another tool as a line of ours has it. */
export interface Entry {
  /** Left out where cases are made of traces that name none. */
  readonly case?: string | readonly string[];
  /** What the agent was asked, where cases are made of it. */
  readonly input?: { readonly question: string };
  readonly output?: string;
  readonly error?: string;
  readonly metadata?: Readonly<Record<string, number>>;
  /** The calls of its agent. */
  readonly trace?: readonly object[];
}

const ERROR_LENGTH_MAX = 2_000;

/** The output where there is one: what else failed there says nothing of it. */
export const answerFields = (output: unknown, error: unknown): Pick<Entry, 'output' | 'error'> =>
  output === undefined || output === null
    ? { error: (textOf(error) || 'no output').slice(0, ERROR_LENGTH_MAX).toWellFormed() }
    : { output: textOf(output) };

export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Those that are numbers of at least 0. */
export function figures(amounts: Readonly<Record<string, unknown>>): Pick<Entry, 'metadata'> {
  const known = Object.entries(amounts).filter(
    (pair): pair is [string, number] =>
      typeof pair[1] === 'number' && Number.isFinite(pair[1]) && pair[1] >= 0,
  );
  return known.length === 0 ? {} : { metadata: Object.fromEntries(known) };
}
