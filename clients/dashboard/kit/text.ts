import { terminalLine, terminalText } from '../../gate/report/escape.ts';

/** A foreign text in a line: what is invisible, or turns the direction, is pictured. */
export const shown = terminalLine;

/** A foreign text of several lines. */
export const shownLines = terminalText;

/** A sentence that begins with words of ours. */
export const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** Whether a name is more than its key in other letters. */
export const saysMore = (name: string, key: string): boolean => lettersOf(name) !== lettersOf(key);

/** An input that is one text: that text. */
export function questionIn(input: string): string {
  try {
    const [only, ...otherValues] = Object.values(JSON.parse(input) as object);
    return typeof only === 'string' && otherValues.length === 0 ? only : input;
  } catch {
    return input;
  }
}

/** The input of a case. */
export const questionOf = (input: object): string => questionIn(JSON.stringify(input, null, 2));
