import { terminalLine, terminalText } from '../../gate/report/escape.ts';

/** A foreign text in a line: what is invisible, or turns the direction, is pictured. */
export const shown = terminalLine;

/** A foreign text of several lines. */
export const shownLines = terminalText;

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** Whether a name is more than its key in other letters. */
export const saysMore = (name: string, key: string): boolean => lettersOf(name) !== lettersOf(key);

/** For `JSON.parse`: throws for a number that a browser would change unseen. */
export function exactly(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number') return value;
  const source = context?.source ?? '';
  const isRounded = !Number.isFinite(value) || (/^-?\d{16,}$/.test(source) && source !== `${value}`);
  if (isRounded) throw new SyntaxError(`${source} would be rounded to ${value}: write it as a text`);
  return value;
}

/** What is wrong with a text that should be JSON, with its place; undefined where nothing is. */
export function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text, exactly);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [, offset] = /position (\d+)/.exec(message) ?? [];
    if (offset === undefined || /line \d/.test(message)) return message;
    const before = text.slice(0, Number(offset)).split('\n');
    return `${message} (line ${before.length}, column ${(before.at(-1) ?? '').length + 1})`;
  }
}
