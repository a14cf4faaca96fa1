import { CONTRACT_LIMITS } from '../contracts/base/limits.ts';

interface Fault {
  readonly path: readonly string[];
  readonly message: string;
}

export interface Found {
  readonly fault: Fault | undefined;
  /** The fields of the body that hold numbers beyond those that JSON readers keep to the last digit. */
  readonly largeIn: readonly string[];
  /** How many names its objects have in all. */
  readonly names: number;
}

/** One level more than a document may have, for the body around it. */
const DEPTH_MAX = CONTRACT_LIMITS.jsonDepth + 1;

/** Visits every value of a parsed body once. Paths are built only for faults. */
export function faultIn(body: unknown): Found {
  const walk = new Walk();
  const fault = walk.look(body, DEPTH_MAX);
  return { fault: walk.isTooDeep ? TOO_DEEP : fault, largeIn: walk.largeIn, names: walk.names };
}

const TOO_DEEP: Fault = {
  path: [],
  message: `must not nest deeper than ${CONTRACT_LIMITS.jsonDepth} levels`,
};
/** Both would be returned as another value. */
const HALF_A_CHARACTER: Fault = { path: [], message: 'holds half of a Unicode surrogate pair' };
const TOO_LARGE: Fault = { path: [], message: 'holds a number too large to keep' };

/** Until V8 has optimized the code, `Math.abs` and `Number.isFinite` cost an object for each number. */
const [SAFE_MIN, SAFE_MAX] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
const [LEAST, GREATEST] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

/** What an agent did: a model writes arguments as deep as it likes, and their reader looks how deep. */
const TRACES = ['trace', 'messages'];

class Walk {
  readonly largeIn: string[] = [];
  names = 0;
  isTooDeep = false;
  #holdsLarge = false;
  #field = '';
  #isInTrace = false;

  look(value: unknown, levelsLeft: number): Fault | undefined {
    if (typeof value === 'number') return this.#lookAtNumber(value);
    if (typeof value === 'string') return value.isWellFormed() ? undefined : HALF_A_CHARACTER;
    if (typeof value !== 'object' || value === null) return undefined;
    if (levelsLeft === 0) {
      if (this.#isInTrace) return undefined;
      this.isTooDeep = true;
      return TOO_DEEP;
    }
    return Array.isArray(value)
      ? this.#lookAtItems(value, levelsLeft)
      : this.#lookAtFields(value, levelsLeft);
  }

  #lookAtNumber(value: number): Fault | undefined {
    if (value <= SAFE_MAX && value >= SAFE_MIN) return undefined;
    this.#holdsLarge = true;
    return value === LEAST || value === GREATEST ? TOO_LARGE : undefined;
  }

  #lookAtItems(items: readonly unknown[], levelsLeft: number): Fault | undefined {
    for (let index = 0; index < items.length; index++) {
      const item = items[index];
      // V8 does not inline `look`, which calls itself, and makes an object of each number that it is given.
      const fault = typeof item === 'number' ? this.#lookAtNumber(item) : this.look(item, levelsLeft - 1);
      if (fault !== undefined) return { ...fault, path: [String(index), ...fault.path] };
    }
    return undefined;
  }

  #lookAtFields(fields: object, levelsLeft: number): Fault | undefined {
    // `for … in` builds no list of names, and parsed JSON inherits none.
    for (const name in fields) {
      this.names++;
      if (!name.isWellFormed()) return HALF_A_CHARACTER;
      if (levelsLeft === DEPTH_MAX) this.#field = name;
      if (this.#isOfItem(levelsLeft)) this.#isInTrace = TRACES.includes(name);
      const fault = this.look((fields as Record<string, unknown>)[name], levelsLeft - 1);
      if (this.#holdsLarge && levelsLeft === DEPTH_MAX) this.#note(name);
      if (fault !== undefined) return { ...fault, path: [name, ...fault.path] };
    }
    return undefined;
  }

  /** Of the body, or of an item of `outputs`. */
  #isOfItem(levelsLeft: number): boolean {
    return levelsLeft === DEPTH_MAX || (levelsLeft === DEPTH_MAX - 2 && this.#field === 'outputs');
  }

  #note(field: string): void {
    this.largeIn.push(field);
    this.#holdsLarge = false;
  }
}
