import { terminalLine, terminalText } from '../../report/escape.ts';

/** A foreign text in a line: what is invisible, or turns the direction, is pictured. */
export const shown = terminalLine;

/** A foreign text of several lines. */
export const shownLines = terminalText;
