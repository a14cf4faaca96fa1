/** The number that a value is to a tool that takes a text for one. Undefined for what is no number, or may be another one. */
export function asNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : undefined;
}

/**
 * Whether two JSON values are the same to a tool, however it reads them. Undefined where only the tool knows: values of two
 * kinds, but for a number and a text of one. Null is nothing else.
 */
export function equalToTool(one: unknown, other: unknown): boolean | undefined {
  if (one === null || other === null) return one === other;
  if (typeof one !== 'object' || typeof other !== 'object') return equalScalars(one, other);
  if (Array.isArray(one) !== Array.isArray(other)) return undefined;
  const names = Object.keys(one);
  const hasOthers =
    names.length !== Object.keys(other).length || !names.every((name) => Object.hasOwn(other, name));
  if (hasOthers) return false;
  const parts = names.map((name) => equalToTool(Reflect.get(one, name), Reflect.get(other, name)));
  return parts.includes(false) ? false : parts.includes(undefined) ? undefined : true;
}

function equalScalars(one: unknown, other: unknown): boolean | undefined {
  const number = asNumber(one);
  const isSameNumber = number !== undefined && number === asNumber(other);
  if (typeof one === 'number' && typeof other === 'number') {
    // Beyond 2^53, two numbers may be read as one.
    return one === other && !isSameNumber ? undefined : one === other;
  }
  if (typeof one === typeof other) {
    // Two texts of one number may be two names, such as 012 and 12.
    return one !== other && isSameNumber ? undefined : one === other;
  }
  return number === undefined || asNumber(other) === undefined ? undefined : isSameNumber;
}
