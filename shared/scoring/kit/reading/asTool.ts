/** The number that a value is to a tool that takes a text for one. Undefined for what is no number, or may be another one. */
export function asNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : undefined;
}

/**
 * Whether two JSON values are the same to a tool, however it reads them. Undefined where only the tool knows: values of two
 * kinds, but for a number and a text of one. Null is nothing else.
 */
export function equalToTool(left: unknown, right: unknown): boolean | undefined {
  if (left === null || right === null) return left === right;
  if (typeof left !== 'object' || typeof right !== 'object') return equalScalars(left, right);
  if (Array.isArray(left) !== Array.isArray(right)) return undefined;
  const names = Object.keys(left);
  const hasOthers =
    names.length !== Object.keys(right).length || !names.every((name) => Object.hasOwn(right, name));
  if (hasOthers) return false;
  const parts = names.map((name) => equalToTool(Reflect.get(left, name), Reflect.get(right, name)));
  return parts.includes(false) ? false : parts.includes(undefined) ? undefined : true;
}

function equalScalars(left: unknown, right: unknown): boolean | undefined {
  const number = asNumber(left);
  const isSameNumber = number !== undefined && number === asNumber(right);
  if (typeof left === 'number' && typeof right === 'number') {
    // Beyond 2^53, two numbers may be read as one.
    return left === right && !isSameNumber ? undefined : left === right;
  }
  if (typeof left === typeof right) {
    // Two texts of one number may be two names, such as 012 and 12.
    return left !== right && isSameNumber ? undefined : left === right;
  }
  return number === undefined || asNumber(right) === undefined ? undefined : isSameNumber;
}
