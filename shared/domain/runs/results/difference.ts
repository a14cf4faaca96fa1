import { GONE, type ShownOutput } from '../../../scoring/kit/shownOutputs.ts';
import { type Difference, SAME } from './storedResult.ts';

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Also in the order of their members: what is read is what was stored, to the letter. */
export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item, index) => isSame(item, right[index]));
  if (!isObject(left) || !isObject(right)) return false;
  const [leftNames, rightNames] = [Object.keys(left), Object.keys(right)];
  return (
    leftNames.length === rightNames.length &&
    leftNames.every((name, index) => name === rightNames[index] && isSame(left[name], right[name]))
  );
}

export const differenceOf = (value: unknown, shown: unknown): Difference =>
  isSame(value, shown) ? SAME : { is: value };

/** Cases that share a scorer share its output, which is never written to. */
const known = new WeakMap<Fields, { readonly shown: ShownOutput; readonly difference: Difference }>();

/** A field of which nothing is said is stored whole. */
export function outputDifference(output: Fields, shown: ShownOutput): Difference {
  const before = known.get(output);
  if (before?.shown === shown) return before.difference;
  const difference = newOutputDifference(output, shown);
  known.set(output, { shown, difference });
  return difference;
}

function newOutputDifference(output: Fields, shown: ShownOutput): Difference {
  const fields = Object.entries(output).map(([name, value]): [string, Difference] => {
    const field = shown.get(name);
    if (field === undefined) return [name, { is: value }];
    return [name, field.byEntry ? entriesDifference(value, field.value) : differenceOf(value, field.value)];
  });
  const names = [...shown.keys()];
  const isAllSame =
    fields.length === names.length &&
    fields.every(([name, difference], index) => name === names[index] && difference === SAME);
  if (isAllSame && fields.length > 0) return SAME;
  const isOther = fields.every(([, difference]) => difference !== SAME && 'is' in difference);
  return isOther ? { is: output } : { of: Object.fromEntries(fields) };
}

/** Of lists of equal length entry by entry, of an entry field by field. */
function entriesDifference(value: unknown, shown: unknown): Difference {
  if (!Array.isArray(value) || !Array.isArray(shown) || value.length !== shown.length || isSame(value, shown))
    return differenceOf(value, shown);
  return { of: value.map((entry, index) => entryDifference(entry, shown[index])) };
}

function entryDifference(entry: unknown, shown: unknown): Difference {
  if (!isObject(entry) || !isObject(shown) || isSame(entry, shown)) return differenceOf(entry, shown);
  const fields = Object.entries(entry);
  return { of: Object.fromEntries(fields.map(([name, value]) => [name, differenceOf(value, shown[name])])) };
}

/** Reads what is the same out of what is said. `take` gets each such value, or `GONE`. */
export function completeValue(
  difference: Difference,
  shown: unknown,
  take: (value: unknown) => unknown,
): unknown {
  if (difference === SAME) return take(shown);
  if ('is' in difference) return difference.is;
  if (Array.isArray(difference.of))
    return difference.of.map((one: Difference, index) => completeValue(one, partOf(shown, index), take));
  const fields = Object.entries(difference.of);
  return Object.fromEntries(
    fields.map(([name, one]) => [name, completeValue(one, partOf(shown, name), take)]),
  );
}

export function completeOutput(
  difference: Difference,
  shown: ShownOutput,
  take: (value: unknown) => unknown,
) {
  const values = Object.fromEntries([...shown].map(([name, { value }]) => [name, value]));
  const every = Object.fromEntries([...shown.keys()].map((name): [string, Difference] => [name, SAME]));
  return completeValue(difference === SAME ? { of: every } : difference, values, take) as Fields;
}

const partOf = (shown: unknown, name: string | number): unknown =>
  typeof shown === 'object' && shown !== null && Object.hasOwn(shown, name) ? Reflect.get(shown, name) : GONE;
