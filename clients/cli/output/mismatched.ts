import { mismatchedSentences } from '../../importers/outputs/mismatched.ts';
import type { CasesInputsAnswer } from '../../sdk/index.ts';
import { inputsOf } from '../commands/ask/inputs.ts';
import type { Connected, Context } from '../context.ts';
import type { Terminal } from '../terminal.ts';
import { findSuite } from './findSuite.ts';

/** The cases of a suite, as they are asked. */
export async function askedOf(
  { io }: Context,
  connected: Connected,
  suite: string,
): Promise<CasesInputsAnswer['data']> {
  const { id } = await findSuite(connected, suite);
  return inputsOf(connected.gate, id, io.signal);
}

/** Says which keys may be intended. Where the suite does not show them, nothing. */
export async function warnOfMismatched(
  context: Context,
  connected: Connected,
  suite: string,
  names: readonly string[],
): Promise<void> {
  const asked = await askedOf(context, connected, suite).catch(() => []);
  reportMismatched(
    context.terminal,
    names,
    asked.map(({ case: key }) => key),
  );
}

export function reportMismatched(
  terminal: Terminal,
  names: readonly string[],
  keys: readonly string[],
): void {
  for (const sentence of mismatchedSentences(names, keys)) terminal.warn(sentence);
}
