import { type CaseInput, caseInputs } from '../../gate/outputs/cases.ts';
import { mismatchedHints } from '../../gate/outputs/mismatched.ts';
import type { Connected, Context } from '../context.ts';
import { findSuite } from './findSuite.ts';

/** The inputs of the cases of a suite. */
export async function casesOf({ io }: Context, connected: Connected, suite: string): Promise<CaseInput[]> {
  const { id } = await findSuite(connected, suite);
  return caseInputs(connected.gate, id, io.signal);
}

/** Names the keys that may be intended. Where the suite does not show them, nothing. */
export async function warnOfMismatched(
  context: Context,
  connected: Connected,
  suite: string,
  names: readonly string[],
): Promise<void> {
  const hints = await mismatchedHints(names, () => casesOf(context, connected, suite));
  for (const hint of hints) context.terminal.warn(hint);
}
