import { CONTRACT_LIMITS } from '../contracts/base/limits.ts';

interface Fault {
  readonly path: readonly string[];
  readonly message: string;
}

export interface Found {
  readonly fault: Fault | undefined;
  /** The fields of the body that hold numbers beyond those that JSON readers keep to the last digit. */
  readonly largeIn: readonly string[];
}

/** One level more than a document may have, for the body around it. */
const DEPTH_MAX = CONTRACT_LIMITS.jsonDepth + 1;

/** Visits every value of a parsed body once. Paths are built only for faults. */
export function faultIn(body: unknown): Found {
  const walk = new Walk();
  const fault = walk.look(body, DEPTH_MAX);
  return { fault: walk.isTooDeep ? TOO_DEEP : fault, largeIn: walk.largeIn };
}

const TOO_DEEP: Fault = {
  path: [],
  message: `must not nest deeper than ${CONTRACT_LIMITS.jsonDepth} levels`,
};
/** Both would be returned as another value. */
const HALF_A_CHARACTER: Fault = { path: [], message: 'holds half of a Unicode surrogate pair' };
const TOO_LARGE: Fault = { path: [], message: 'holds a number too large to keep' };

class Walk {
  readonly largeIn: string[] = [];
  isTooDeep = false;
  #holdsLarge = false;

  look(value: unknown, levelsLeft: number): Fault | undefined {
    if (typeof value === 'number') return this.#lookAtNumber(value);
    if (typeof value === 'string') return value.isWellFormed() ? undefined : HALF_A_CHARACTER;
    if (typeof value !== 'object' || value === null) return undefined;
    if (levelsLeft === 0) {
      this.isTooDeep = true;
      return TOO_DEEP;
    }
    return Array.isArray(value)
      ? this.#lookAtItems(value, levelsLeft)
      : this.#lookAtFields(value, levelsLeft);
  }

  #lookAtNumber(value: number): Fault | undefined {
    if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return undefined;
    this.#holdsLarge = true;
    return Number.isFinite(value) ? undefined : TOO_LARGE;
  }

  #lookAtItems(items: readonly unknown[], levelsLeft: number): Fault | undefined {
    for (let index = 0; index < items.length; index++) {
      const fault = this.look(items[index], levelsLeft - 1);
      if (fault !== undefined) return { ...fault, path: [String(index), ...fault.path] };
    }
    return undefined;
  }

  #lookAtFields(fields: object, levelsLeft: number): Fault | undefined {
    // `for … in` builds no list of names, and parsed JSON inherits none.
    for (const name in fields) {
      if (!name.isWellFormed()) return HALF_A_CHARACTER;
      const fault = this.look((fields as Record<string, unknown>)[name], levelsLeft - 1);
      if (this.#holdsLarge && levelsLeft === DEPTH_MAX) this.#note(name);
      if (fault !== undefined) return { ...fault, path: [name, ...fault.path] };
    }
    return undefined;
  }

  #note(field: string): void {
    this.largeIn.push(field);
    this.#holdsLarge = false;
  }
}
