import { endOfString, isClosing, isOpening } from './jsonText.ts';

export interface Outline {
  /** Behind the bracket that closes the first one; 0 where the text ends before. */
  readonly end: number;
  /** How deep brackets nest. */
  readonly depth: number;
}

const QUOTE = 0x22;

/**
 * Of the object or array that begins at `start`, if it is JSON: only a parser says whether it is. Linear, so it may run
 * before anything that recurses.
 */
export function outlineOf(text: string, start: number): Outline {
  let [open, depth] = [0, 0];
  for (let index = start; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE) index = endOfString(text, index);
    else if (isOpening(unit)) depth = Math.max(depth, ++open);
    else if (isClosing(unit) && --open === 0) return { end: index + 1, depth };
  }
  return { end: 0, depth };
}
