import type { Readable, Writable } from 'node:stream';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { Problem } from '../problem.ts';

type Question = typeof import('@clack/prompts').text | typeof import('@clack/prompts').password;

/** On stderr: stdout is for data. */
async function ask(io: Io, message: string, question: Question): Promise<string> {
  const { isCancel } = await import('@clack/prompts');
  const streams = { input: io.stdin as Readable, output: io.stderr as Writable };
  const answer = await question({ message, ...streams, signal: io.signal });
  if (isCancel(answer) || answer === undefined) {
    throw new Problem('Interrupted.', undefined, EXIT.interrupted);
  }
  return String(answer).trim();
}

export const askText = async (io: Io, message: string): Promise<string> =>
  ask(io, message, (await import('@clack/prompts')).text);

/** What is typed is not shown. */
export const askSecret = async (io: Io, message: string): Promise<string> =>
  ask(io, message, (await import('@clack/prompts')).password);

/** The answer is no unless somebody says yes. */
export async function askWhether(io: Io, message: string): Promise<boolean> {
  const { confirm, isCancel } = await import('@clack/prompts');
  const streams = { input: io.stdin as Readable, output: io.stderr as Writable };
  const answer = await confirm({ message, initialValue: false, ...streams, signal: io.signal });
  if (isCancel(answer)) throw new Problem('Interrupted.', undefined, EXIT.interrupted);
  return answer;
}
