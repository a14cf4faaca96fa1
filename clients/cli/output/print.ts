import { safeJson, terminalLine } from '../../gate/report/escape.ts';
import type { Context } from '../context.ts';

/** What a service answered: as on the wire with `--json`, else one line for each item. */
export function print<T>(
  { terminal, globals }: Context,
  items: readonly T[],
  lineOf: (item: T) => string,
  nothing: string,
): void {
  if (globals.json) {
    terminal.data(`${safeJson(items, 2)}\n`);
    return;
  }
  for (const item of items) terminal.report(`${lineOf(item)}\n`);
  if (items.length === 0) terminal.say(nothing);
}

/** The same of one answer. */
export function printOne({ terminal, globals }: Context, answer: unknown, textOf: () => string): void {
  if (globals.json) terminal.data(`${safeJson(answer, 2)}\n`);
  else terminal.report(`${textOf()}\n`);
}

/** Fields of a line; foreign text among them. */
export const fields = (...texts: readonly string[]): string => texts.map(terminalLine).join('  ');
