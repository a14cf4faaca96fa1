const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** Any whole number of fewer figures is exact. */
const MIN_FIGURES = 16;
const NUMBER = /-?\d+(\.\d+)?([eE][+-]?\d+)?/y;
/** The largest number that there is has no more figures before its point. */
const MAX_FIGURES = 309;

/**
 * The first number of a JSON text that is written out beyond 2 ** 53 and is read as another one. What has an exponent
 * is meant as an approximation. One pass over the text.
 */
export function firstRounded(json: string): string | null {
  if (!mayRound(json)) return null;
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE) {
      at = endOfString(json, at);
    } else if (isDigit(unit)) {
      NUMBER.lastIndex = at;
      const [text = '', , exponent] = NUMBER.exec(json) ?? [];
      if (exponent === undefined && isRounded(text)) return text;
      at += text.length - 1;
    }
  }
  return null;
}

/** Whether so many figures stand in a row; every so many characters one of them would be met. */
function mayRound(json: string): boolean {
  for (let at = MIN_FIGURES - 1; at < json.length; at += MIN_FIGURES) {
    if (!isDigit(json.charCodeAt(at))) continue;
    let end = at + 1;
    while (end < json.length && isDigit(json.charCodeAt(end))) end++;
    let start = at;
    while (end - start < MIN_FIGURES && isDigit(json.charCodeAt(start - 1))) start--;
    if (end - start >= MIN_FIGURES) return true;
  }
  return false;
}

function isRounded(digits: string): boolean {
  const [whole = '', fraction = ''] = digits.split('.');
  if (whole.length < MIN_FIGURES) return false;
  const value = Number(digits);
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return false;
  return whole.length > MAX_FIGURES || /[1-9]/.test(fraction) || BigInt(whole) !== BigInt(value);
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** Where the string that begins at `start` ends. */
export function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) break;
    if (unit === BACKSLASH) at++;
  }
  return at;
}
