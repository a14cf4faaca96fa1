const REASON_LENGTH_MAX = 2_000;

/**
 * What a reader cannot see and a model can: controls, zero-width characters, bidirectional marks and overrides,
 * fillers, tag characters and the variation selectors that can spell a hidden message. The one that makes a
 * character an emoji (U+FE0F) stays, and so do tabs and line ends.
 */
const INVISIBLE = /(?!\uFE0F|[\t\n\r])[\p{Default_Ignorable_Code_Point}\p{Cc}\uFFF9-\uFFFB]/gu;

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
