import type { CasesInputsAnswer } from '../../sdk/index.ts';
import { nearestOf } from '../../suites/outputs/nearest.ts';
import { inputsOf } from '../commands/ask/inputs.ts';
import type { Connected, Context } from '../context.ts';
import type { Terminal } from '../terminal.ts';
import { findSuite } from './findSuite.ts';

const NAMED_MAX = 20;

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
export async function warnOfUnfit(
  context: Context,
  connected: Connected,
  suite: string,
  names: readonly string[],
): Promise<void> {
  const asked = await askedOf(context, connected, suite).catch(() => []);
  sayUnfit(
    context.terminal,
    names,
    asked.map(({ case: key }) => key),
  );
}

/** Each name beside the key that is nearest to it; else the keys that there are. */
export function sayUnfit(terminal: Terminal, names: readonly string[], keys: readonly string[]): void {
  if (keys.length === 0 || names.length === 0) return;
  const near = names.slice(0, NAMED_MAX).map((name) => ({ name, nearest: nearestOf(name, keys) }));
  for (const { name, nearest } of near) {
    if (nearest !== undefined) terminal.warn(`${name} is no case of the suite: is it ${nearest}?`);
  }
  const others = near.filter(({ nearest }) => nearest === undefined).map(({ name }) => name);
  if (others.length === 0) return;
  const more = keys.length > NAMED_MAX ? `, and ${keys.length - NAMED_MAX} more` : '';
  terminal.warn(
    `no case of the suite: ${others.join(', ')}. Its cases: ${keys.slice(0, NAMED_MAX).join(', ')}${more}`,
  );
}
