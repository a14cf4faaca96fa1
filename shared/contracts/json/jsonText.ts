/** Where the string that begins here is closed: at the next quote without an odd number of backslashes before it. */
export function endOfString(json: string, start: number): number {
  for (let index = json.indexOf('"', start + 1); index !== -1; index = json.indexOf('"', index + 1)) {
    let backslashes = 0;
    while (json[index - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return index;
  }
  return json.length;
}

const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

export const isOpening = (unit: number): boolean => unit === OPEN_OBJECT || unit === OPEN_ARRAY;
export const isClosing = (unit: number): boolean => unit === CLOSE_OBJECT || unit === CLOSE_ARRAY;

/** How often a character occurs; stops counting beyond `limit`. */
export function countUpTo(limit: number, text: string, character: string): number {
  let count = 0;
  for (
    let index = text.indexOf(character);
    index !== -1 && count <= limit;
    index = text.indexOf(character, index + 1)
  )
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

const isInNumber = (text: string, index: number): boolean => IN_NUMBERS[text.charCodeAt(index)] === 1;

/** Whether so many characters of numbers stand in a row: `[\d.eE+-]{length}`, ten times as fast for prose. */
export function hasLongNumber(text: string, length: number): boolean {
  return someLongNumber(text, length, () => true);
}

/** Whether `isSought` holds for one of these rows, each as a whole. Outside strings of JSON, a row is one number. */
export function someLongNumber(text: string, length: number, isSought: (row: string) => boolean): boolean {
  for (let index = length - 1; index < text.length; index += length) {
    if (!isInNumber(text, index)) continue;
    let [first, last] = [index, index];
    while (first > 0 && isInNumber(text, first - 1)) first--;
    while (isInNumber(text, last + 1)) last++;
    if (last - first + 1 >= length && isSought(text.slice(first, last + 1))) return true;
    index = last;
  }
  return false;
}

/** How many digits there are from the first to the last that is not 0; counts no further than to `most`. */
export function significantDigits(written: string, most: number): number {
  let digits = 0;
  let significant = 0;
  for (let index = 0; index < written.length && significant < most; index++) {
    const code = written.charCodeAt(index);
    if (isExponentSign(code)) break;
    if (!isDigit(code) || (digits === 0 && code === ZERO)) continue;
    digits += 1;
    if (code !== ZERO) significant = digits;
  }
  return significant;
}

/** Whether two numbers, which readers take for the same one, are written in the same digits but for zeros around. */
export function haveSameDigits(left: string, right: string): boolean {
  if (left === right) return true;
  let inLeft = firstDigit(left);
  let inRight = firstDigit(right);
  while (inLeft < left.length || inRight < right.length) {
    if (digitAt(left, inLeft) !== digitAt(right, inRight)) return false;
    inLeft = nextDigit(left, inLeft);
    inRight = nextDigit(right, inRight);
  }
  return true;
}

function firstDigit(written: string): number {
  let index = nextDigit(written, -1);
  while (index < written.length && written.charCodeAt(index) === ZERO) index = nextDigit(written, index);
  return index;
}

/** The length of the text behind the last digit of the mantissa. */
function nextDigit(written: string, before: number): number {
  for (let index = before + 1; index < written.length; index++) {
    const code = written.charCodeAt(index);
    if (isDigit(code)) return index;
    if (isExponentSign(code)) break;
  }
  return written.length;
}

const digitAt = (written: string, index: number): number =>
  index < written.length ? written.charCodeAt(index) : ZERO;

/** One way of writing each decimal number, without its sign. */
export function decimalOf(written: string): string {
  const [mantissa = '', exponent = '0'] = written.toLowerCase().split('e');
  const [integer = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (integer + fraction).replace(/^0+/, '');
  const significant = digits.replace(/(?<!0)0+$/, '');
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
