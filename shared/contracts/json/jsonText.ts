/** Where the string that begins here is closed: at the next quote without an odd number of backslashes before it. */
export function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (json[at - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  return json.length;
}

const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

export const isOpening = (unit: number): boolean => unit === OPEN_OBJECT || unit === OPEN_ARRAY;
export const isClosing = (unit: number): boolean => unit === CLOSE_OBJECT || unit === CLOSE_ARRAY;

/** How often a character occurs; stops counting beyond `limit`. */
export function countUpTo(limit: number, text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1 && count <= limit; at = text.indexOf(character, at + 1))
    count++;
  return count;
}

const ZERO = 0x30;
const NINE = 0x39;
const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;
/** Whether the code is that of `e` or `E`. */
const isExponentSign = (code: number): boolean => (code | 0x20) === 0x65;

const IN_NUMBERS = new Uint8Array(128);
for (const character of '0123456789.eE+-') IN_NUMBERS[character.charCodeAt(0)] = 1;

const isInNumber = (text: string, at: number): boolean => IN_NUMBERS[text.charCodeAt(at)] === 1;

/** Whether so many characters of numbers stand in a row: `[\d.eE+-]{length}`, ten times as fast for prose. */
export function hasLongNumber(text: string, length: number): boolean {
  return someLongNumber(text, length, () => true);
}

/** Whether `isSought` holds for one of these rows, each as a whole. Outside strings of JSON, a row is one number. */
export function someLongNumber(text: string, length: number, isSought: (row: string) => boolean): boolean {
  for (let at = length - 1; at < text.length; at += length) {
    if (!isInNumber(text, at)) continue;
    let [first, last] = [at, at];
    while (first > 0 && isInNumber(text, first - 1)) first--;
    while (isInNumber(text, last + 1)) last++;
    if (last - first + 1 >= length && isSought(text.slice(first, last + 1))) return true;
    at = last;
  }
  return false;
}

/** How many digits there are from the first to the last that is not 0; counts no further than to `most`. */
export function significantDigits(written: string, most: number): number {
  let digits = 0;
  let significant = 0;
  for (let at = 0; at < written.length && significant < most; at++) {
    const code = written.charCodeAt(at);
    if (isExponentSign(code)) break;
    if (!isDigit(code) || (digits === 0 && code === ZERO)) continue;
    digits += 1;
    if (code !== ZERO) significant = digits;
  }
  return significant;
}

/** Whether two numbers, which readers take for the same one, are written in the same digits but for zeros around. */
export function haveSameDigits(one: string, other: string): boolean {
  if (one === other) return true;
  let inOne = firstDigit(one);
  let inOther = firstDigit(other);
  while (inOne < one.length || inOther < other.length) {
    if (digitAt(one, inOne) !== digitAt(other, inOther)) return false;
    inOne = nextDigit(one, inOne);
    inOther = nextDigit(other, inOther);
  }
  return true;
}

function firstDigit(written: string): number {
  let at = nextDigit(written, -1);
  while (at < written.length && written.charCodeAt(at) === ZERO) at = nextDigit(written, at);
  return at;
}

/** The length of the text behind the last digit of the mantissa. */
function nextDigit(written: string, before: number): number {
  for (let at = before + 1; at < written.length; at++) {
    const code = written.charCodeAt(at);
    if (isDigit(code)) return at;
    if (isExponentSign(code)) break;
  }
  return written.length;
}

const digitAt = (written: string, at: number): number =>
  at < written.length ? written.charCodeAt(at) : ZERO;

/** One way of writing each decimal number, without its sign. */
export function decimalOf(written: string): string {
  const [mantissa = '', exponent = '0'] = written.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/(?<!0)0+$/, '');
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
