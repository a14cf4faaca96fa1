import { GONE, type ShownOutput } from '../../../scoring/kit/shownOutputs.ts';
import { type Difference, SAME } from './storedResult.ts';

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Also in the order of their members: what is read is what was stored, to the letter. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, at) => isSame(item, other[at]));
  if (!isObject(one) || !isObject(other)) return false;
  const [names, others] = [Object.keys(one), Object.keys(other)];
  return (
    names.length === others.length &&
    names.every((name, at) => name === others[at] && isSame(one[name], other[name]))
  );
}

export const differenceOf = (value: unknown, said: unknown): Difference =>
  isSame(value, said) ? SAME : { is: value };

/** Cases that share a scorer share its output, which is never written to. */
const known = new WeakMap<Fields, { readonly said: ShownOutput; readonly difference: Difference }>();

/** A field of which nothing is said is stored whole. */
export function outputDifference(output: Fields, said: ShownOutput): Difference {
  const before = known.get(output);
  if (before?.said === said) return before.difference;
  const difference = newOutputDifference(output, said);
  known.set(output, { said, difference });
  return difference;
}

function newOutputDifference(output: Fields, said: ShownOutput): Difference {
  const fields = Object.entries(output).map(([name, value]): [string, Difference] => {
    const field = said.get(name);
    if (field === undefined) return [name, { is: value }];
    return [name, field.byEntry ? entriesDifference(value, field.value) : differenceOf(value, field.value)];
  });
  const names = [...said.keys()];
  const isAllSame =
    fields.length === names.length &&
    fields.every(([name, difference], at) => name === names[at] && difference === SAME);
  if (isAllSame && fields.length > 0) return SAME;
  const isOther = fields.every(([, difference]) => difference !== SAME && 'is' in difference);
  return isOther ? { is: output } : { of: Object.fromEntries(fields) };
}

/** Of lists of equal length entry by entry, of an entry field by field. */
function entriesDifference(value: unknown, said: unknown): Difference {
  if (!Array.isArray(value) || !Array.isArray(said) || value.length !== said.length || isSame(value, said))
    return differenceOf(value, said);
  return { of: value.map((entry, at) => entryDifference(entry, said[at])) };
}

function entryDifference(entry: unknown, said: unknown): Difference {
  if (!isObject(entry) || !isObject(said) || isSame(entry, said)) return differenceOf(entry, said);
  const fields = Object.entries(entry);
  return { of: Object.fromEntries(fields.map(([name, value]) => [name, differenceOf(value, said[name])])) };
}

/** Reads what is the same out of what is said. `take` gets each such value, or `GONE`. */
export function whole(difference: Difference, said: unknown, take: (value: unknown) => unknown): unknown {
  if (difference === SAME) return take(said);
  if ('is' in difference) return difference.is;
  if (Array.isArray(difference.of))
    return difference.of.map((one: Difference, at) => whole(one, partOf(said, at), take));
  const fields = Object.entries(difference.of);
  return Object.fromEntries(fields.map(([name, one]) => [name, whole(one, partOf(said, name), take)]));
}

export function completeOutput(difference: Difference, said: ShownOutput, take: (value: unknown) => unknown) {
  const values = Object.fromEntries([...said].map(([name, { value }]) => [name, value]));
  const every = Object.fromEntries([...said.keys()].map((name): [string, Difference] => [name, SAME]));
  return whole(difference === SAME ? { of: every } : difference, values, take) as Fields;
}

const partOf = (said: unknown, name: string | number): unknown =>
  typeof said === 'object' && said !== null && Object.hasOwn(said, name) ? Reflect.get(said, name) : GONE;
