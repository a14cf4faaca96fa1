/** A value of an item in the form of the SDK's document client. */
export type Value = unknown;

const isMap = (value: Value): value is Record<string, Value> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Set) &&
  !(value instanceof Uint8Array);

/** A deep copy without undefined fields. It shares byte arrays, which never change. */
export function copied<T extends Value>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  return copiedObject(value) as T;
}

function copiedObject(value: object): object {
  if (Array.isArray(value)) return value.map(copied);
  // What most values are needs none of the slow questions.
  if (Object.getPrototypeOf(value) !== Object.prototype) {
    if (value instanceof Uint8Array) return alone(value);
    if (value instanceof Set) return new Set(value);
  }
  const copy: Record<string, Value> = { ...value };
  for (const name of Object.keys(copy)) {
    const inner = copy[name];
    if (inner === undefined) delete copy[name];
    else if (typeof inner === 'object' && inner !== null) {
      // An assignment to `__proto__` would be lost.
      if (name === '__proto__') Object.defineProperty(copy, name, { value: copiedObject(inner) });
      else copy[name] = copiedObject(inner);
    }
  }
  return copy;
}

/** A small part of a buffer would keep all of it in memory. */
function alone(bytes: Uint8Array): Uint8Array {
  const isPart = bytes.buffer.byteLength > 2 * bytes.byteLength;
  return isPart && Buffer.isBuffer(bytes) ? Buffer.from(new Uint8Array(bytes).buffer) : bytes;
}

export function typeOf(value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return 'S';
  if (typeof value === 'number' || typeof value === 'bigint') return 'N';
  if (typeof value === 'boolean') return 'BOOL';
  if (value instanceof Uint8Array) return 'B';
  if (Array.isArray(value)) return 'L';
  if (value instanceof Set) return `${typeOf([...value][0])}S`;
  return 'M';
}

export function isEqual(a: Value, b: Value): boolean {
  if (a === undefined || b === undefined) return false;
  if (a === b) return true;
  const type = typeOf(a);
  if (type !== typeOf(b)) return false;
  if (type === 'B') return Buffer.compare(a as Uint8Array, b as Uint8Array) === 0;
  if (a instanceof Set && b instanceof Set) return a.size === b.size && [...a].every((one) => b.has(one));
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((inner, index) => isEqual(inner, b[index]));
  }
  if (!isMap(a) || !isMap(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => isEqual(a[name], b[name]));
}

/** Undefined for values without an order: other types, or two different types. */
export function order(a: Value, b: Value): number | undefined {
  if (a === undefined || b === undefined) return undefined;
  const type = typeOf(a);
  if (type !== typeOf(b)) return undefined;
  if (type === 'N') return Number(a) - Number(b);
  if (type === 'S') return orderOfTexts(String(a), String(b));
  return type === 'B' ? Buffer.compare(a as Uint8Array, b as Uint8Array) : undefined;
}

const ASCII = /^[\0-\x7f]*$/;

/** Compares the UTF-8 bytes. */
export function orderOfTexts(a: string, b: string): number {
  if (!ASCII.test(a) || !ASCII.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

export function sizeOf(value: Value): number | undefined {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value instanceof Uint8Array || Array.isArray(value)) return value.length;
  if (value instanceof Set) return value.size;
  return isMap(value) ? Object.keys(value).length : undefined;
}

/** As DynamoDB counts: the names and values of an item's fields. */
export const itemBytes = (item: Record<string, Value> = {}): number =>
  sumOf(Object.entries(item).map(([name, value]) => Buffer.byteLength(name) + bytesIn(value)));

/** Texts in UTF-8, and for a list or a map three bytes and one for each member. */
function bytesIn(value: Value): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return NUMBER_BYTES;
  if (value instanceof Uint8Array) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 1;
  if (value instanceof Set) return sumOf([...value].map(bytesIn));
  if (Array.isArray(value)) return CONTAINER_BYTES + value.length + sumOf(value.map(bytesIn));
  return CONTAINER_BYTES + Object.keys(value).length + itemBytes(value as Record<string, Value>);
}

const CONTAINER_BYTES = 3;
/** About half as many bytes as digits. */
const NUMBER_BYTES = 10;
const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
