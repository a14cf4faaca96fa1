/** The texts between separators that are not blank. Not a regular expression, since those backtrack on some texts. */
export function eachBetween(
  text: string,
  separates: (unit: number) => boolean,
  visit: (start: number, end: number) => void,
): void {
  let start = 0;
  let isEmpty = true;
  for (let index = 0; index <= text.length; index++) {
    const unit = text.charCodeAt(index);
    if (index < text.length && !separates(unit)) {
      if (isEmpty && !isBlank(unit)) isEmpty = false;
      continue;
    }
    if (!isEmpty) visit(start, index);
    start = index + 1;
    isEmpty = true;
  }
}

const [TAB, LINE_FEED, CARRIAGE_RETURN, BLANK, COMMA] = [0x09, 0x0a, 0x0d, 0x20, 0x2c];
const [NO_BREAK_SPACE, OGHAM_SPACE, EN_QUAD] = [0xa0, 0x1680, 0x2000];
const [IDEOGRAPHIC_SPACE, BYTE_ORDER_MARK] = [0x3000, 0xfeff];
const WIDE_BLANKS = new Set([
  ...Array.from({ length: 11 }, (_, index) => EN_QUAD + index),
  0x2028,
  0x2029,
  0x202f,
  0x205f,
  IDEOGRAPHIC_SPACE,
]);

export const isLineBreak = (unit: number): boolean => unit === LINE_FEED || unit === CARRIAGE_RETURN;
/** Of Arabic, Ethiopic and Mongolian, the ideographic ones, small, wide and narrow ones. */
const OTHER_COMMAS = new Set([
  0x60c, 0x1363, 0x1802, 0x1808, 0x3001, 0xfe10, 0xfe11, 0xfe50, 0xfe51, 0xff0c, 0xff64,
]);
export const isBlankOrComma = (unit: number): boolean =>
  unit === COMMA || isBlank(unit) || (unit >= 0x60c && OTHER_COMMAS.has(unit));

/** The characters that `\s` matches. */
function isBlank(unit: number): boolean {
  if (unit <= BLANK) return unit === BLANK || (unit >= TAB && unit <= CARRIAGE_RETURN);
  if (unit < EN_QUAD) return unit === NO_BREAK_SPACE || unit === OGHAM_SPACE;
  return unit <= IDEOGRAPHIC_SPACE ? WIDE_BLANKS.has(unit) : unit === BYTE_ORDER_MARK;
}
