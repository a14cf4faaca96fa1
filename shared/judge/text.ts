const REASON_LENGTH_MAX = 2_000;

/**
 * Characters that models see and people don't: controls, zero-width characters, bidirectional marks and overrides,
 * fillers, tag characters, variation selectors. U+FE0F, which makes an emoji, stays, and so do tabs and line ends.
 */
const INVISIBLE = /(?!\uFE0F|[\t\n\r])[\p{Default_Ignorable_Code_Point}\p{Cc}\uFFF9-\uFFFB]/gu;

function withoutInvisible(text: string): string {
  return text.toWellFormed().replace(INVISIBLE, '');
}

/** Holds a character that no delimiter has, so that the text around it can't form another delimiter. */
const IN_PLACE_OF_DELIMITER = '[removed]';

/** The copy of a text for a judge, without invisible characters and without the delimiter of its section. */
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
