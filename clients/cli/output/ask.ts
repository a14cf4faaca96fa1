import type { Readable, Writable } from 'node:stream';
import { EXIT } from '../../gate/problems/exitCodes.ts';
import type { Io } from '../io.ts';
import { Problem } from '../problem.ts';

interface Asking {
  readonly message: string;
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
}

type Answer = string | boolean;
/** A symbol for a question that was cancelled. */
type Question = (asking: Asking) => Promise<Answer | symbol | undefined>;

/** On stderr: stdout is for data. Undefined when the input ends without an answer. */
async function ask(
  { stdin, stderr, signal }: Io,
  message: string,
  question: Question,
): Promise<Answer | undefined> {
  const input = stdin as Readable;
  const ended = new AbortController();
  let isOver = false;
  // Ctrl-D pauses the input, and so does an answer, which comes first.
  const end = () => void setImmediate(() => isOver || ended.abort());
  input.on('pause', end).on('end', end);
  try {
    const signals = AbortSignal.any([signal, ended.signal]);
    const answer = await question({ message, input, output: stderr as Writable, signal: signals });
    if (typeof answer !== 'symbol') return answer;
  } finally {
    isOver = true;
    input.off('pause', end).off('end', end);
  }
  if (ended.signal.aborted && !signal.aborted) return undefined;
  throw new Problem('Interrupted.', undefined, EXIT.interrupted);
}

async function askWords(io: Io, message: string, question: Question): Promise<string> {
  const answer = await ask(io, message, question);
  if (answer === undefined) throw new Problem('No answer was given.');
  return String(answer).trim();
}

interface Expected {
  /** The answer where nothing is typed. */
  readonly usual?: string;
  /** What is wrong with an answer, after which the question is asked again in its place. */
  whyNot?(answer: string): string | undefined;
}

export async function askText(
  io: Io,
  message: string,
  { usual, whyNot = () => undefined }: Expected = {},
): Promise<string> {
  const { text } = await import('@clack/prompts');
  const shown = usual === undefined ? {} : { placeholder: usual, defaultValue: usual };
  const validate = (typed = ''): string | undefined =>
    typed.trim() === '' && usual !== undefined ? undefined : whyNot(typed.trim());
  return askWords(io, message, (asking) => text({ ...asking, ...shown, validate }));
}

/** One of the values, which are shown. */
export async function askWhich(io: Io, message: string, values: readonly string[]): Promise<string> {
  const { select } = await import('@clack/prompts');
  const options = values.map((value) => ({ value, label: value }));
  return askWords(io, message, (asking) => select({ ...asking, options }));
}

/** What is typed is not shown. */
export const askSecret = async (io: Io, message: string): Promise<string> =>
  askWords(io, message, (await import('@clack/prompts')).password);

/** The answer is no unless somebody says yes. */
export async function askWhether(io: Io, message: string): Promise<boolean> {
  const { confirm } = await import('@clack/prompts');
  return (await ask(io, message, (asking) => confirm({ ...asking, initialValue: false }))) === true;
}
