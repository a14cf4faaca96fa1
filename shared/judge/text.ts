const REASON_LENGTH_MAX = 2_000;

/**
 * What a reader cannot see and a model can: controls, zero-width characters, bidirectional marks and overrides,
 * invisible operators, tag characters and the variation selectors that can spell a hidden message. Common emoji
 * presentation (U+FE0F) stays.
 */
const INVISIBLE =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0E\uFEFF\uFFA0\uFFF0-\uFFFB\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]/gu;

export function withoutInvisible(text: string): string {
  return text.toWellFormed().replace(INVISIBLE, '');
}

/** Holds a character that no delimiter can, so that what is left around it never joins into another one. */
const IN_PLACE_OF_DELIMITER = '[removed]';

/** The copy of a text that a judge is shown: nothing unseen in it, and nothing that ends the section it is in. */
export function asData(text: string, delimiter: string): string {
  const pattern = new RegExp(delimiter.replaceAll('-', '\\-'), 'gi');
  return withoutInvisible(text).replace(pattern, IN_PLACE_OF_DELIMITER);
}

export function asReason(text: string): string {
  const shown = withoutInvisible(text).trim();
  if (shown.length <= REASON_LENGTH_MAX) return shown;
  const start = shown.slice(0, REASON_LENGTH_MAX - 1);
  // A character outside the basic plane may have been cut in two.
  return `${start.isWellFormed() ? start : start.slice(0, -1)}…`;
}
