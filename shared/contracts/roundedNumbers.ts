import { decimalOf, endOfNumber, endOfString, isNumberStart } from './jsonText.ts';

/** Whatever is written in so many characters is kept to the last digit, or is no more than 2^53. */
const EXACT_LENGTH = 15;
const MAY_ROUND = /[\d.eE+-]{16}/;
/** An exponent of three figures or some 220 zeros; with less, nothing comes near 1e-323. */
const MAY_VANISH = /[eE]-\d{3}|\.0{220}/;

interface Rounded {
  readonly path: readonly string[];
  readonly written: string;
  /** The number that JSON readers make of it. */
  readonly value: number;
}

/**
 * The first number, in one of the fields where they are given, that JSON writers give back as another one, of those
 * beyond 2^53: `9007199254740993` is one, `6.02214076e23` is none. Only the text tells, which has to be JSON. Fractions
 * of lesser numbers are rounded by every reader, and nobody means their last digit.
 */
export function firstRounded(json: string, fields?: readonly string[]): Rounded | undefined {
  return firstNumber(json, isRounded, fields);
}

/** The same, but for those that the nearest double equals, such as 2^60: they can be judged, though not given back. */
export function firstMisread(json: string): Rounded | undefined {
  return firstNumber(json, (written) => isRounded(written) && !isExact(written));
}

/** The first number that is not 0 and read as 0: too small for a double. */
export function firstVanishing(json: string): Rounded | undefined {
  return MAY_VANISH.test(json) ? findNumber(json, isVanishing) : undefined;
}

function firstNumber(
  json: string,
  isMeant: (written: string) => boolean,
  fields?: readonly string[],
): Rounded | undefined {
  return MAY_ROUND.test(json) ? findNumber(json, isMeant, fields) : undefined;
}

function findNumber(
  json: string,
  isMeant: (written: string) => boolean,
  fields?: readonly string[],
): Rounded | undefined {
  const place = new Place(json);
  for (let at = 0; at < json.length; ) {
    const character = json.charAt(at);
    if (!isNumberStart(character)) {
      at = place.pass(at, character);
      continue;
    }
    const end = endOfNumber(json, at);
    const written = json.slice(at, end);
    at = end;
    if (!isMeant(written)) continue;
    const path = place.path();
    if (fields === undefined || fields.includes(path[0] ?? ''))
      return { path, written, value: Number(written) };
  }
  return undefined;
}

function isRounded(written: string): boolean {
  if (written.length <= EXACT_LENGTH) return false;
  const value = Number(written);
  return Math.abs(value) > Number.MAX_SAFE_INTEGER && decimalOf(written) !== decimalOf(String(value));
}

function isVanishing(written: string): boolean {
  return Number(written) === 0 && /^[-.0]*[1-9]/.test(written);
}

function isExact(written: string): boolean {
  const value = Number(written);
  return Number.isFinite(value) && decimalOf(written) === decimalOf(String(BigInt(value)));
}

/** Where in a document the reader of its text is. */
class Place {
  readonly #json: string;
  /** Of an array the position, of an object where the name of its field begins, as a negative number. */
  readonly #steps: number[] = [];
  #stringAt = 0;

  constructor(json: string) {
    this.#json = json;
  }

  /** Answers where to read on. */
  pass(at: number, character: string): number {
    const top = this.#steps.length - 1;
    if (character === '"') {
      this.#stringAt = at;
      return endOfString(this.#json, at) + 1;
    }
    if (character === ':') this.#steps[top] = -this.#stringAt;
    else if (character === ',') this.#steps[top] = advanced(this.#steps[top] ?? 0);
    else if (character === '[') this.#steps.push(0);
    else if (character === '{') this.#steps.push(-1);
    else if (character === ']' || character === '}') this.#steps.pop();
    return at + 1;
  }

  path(): string[] {
    return this.#steps.map((step) => (step < 0 ? this.#nameAt(-step) : String(step)));
  }

  #nameAt(at: number): string {
    return JSON.parse(this.#json.slice(at, endOfString(this.#json, at) + 1));
  }
}

const advanced = (step: number): number => (step < 0 ? step : step + 1);
