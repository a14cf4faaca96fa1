import { quote } from '../text.ts';

/** The same for names that differ by case only. To lower case first, which makes a K of the Kelvin sign. */
export const foldCase = (name: string): string => name.toLowerCase().toUpperCase();

/** By folded name, two names of one object that differ by case only. Readers differ in which of them they take. */
export type CaseTwins = ReadonlyMap<string, readonly [string, string]>;

/** Of an object without such a name, no two names differ by case only. */
const CASED = /[A-Z\u0080-\uffff]/;

export function caseTwins(value: unknown): CaseTwins {
  const twins = new Map<string, readonly [string, string]>();
  collect(value, twins);
  return twins;
}

function collect(value: unknown, twins: Map<string, readonly [string, string]>): void {
  if (typeof value !== 'object' || value === null) return;
  let isCased = false;
  for (const name in value) {
    isCased ||= CASED.test(name);
    collect(Reflect.get(value, name), twins);
  }
  if (!isCased) return;
  const names = new Map<string, string>();
  for (const name of Object.keys(value)) {
    const twin = names.get(foldCase(name));
    if (twin === undefined) names.set(foldCase(name), name);
    else if (twin.length === name.length) twins.set(foldCase(name), [twin, name]);
  }
}

/**
 * The names, folded, that a comparison with this value reads. Of two that it has itself it reads both. The texts of a schema
 * may be names, too.
 */
export function namesIn(value: unknown, texts?: 'texts too'): Set<string> {
  const names = new Set<string>();
  const add = (inner: unknown): void => {
    if (texts && typeof inner === 'string') names.add(foldCase(inner));
    if (typeof inner !== 'object' || inner === null) return;
    for (const [name, member] of Object.entries(inner)) {
      if (!Array.isArray(inner)) names.add(foldCase(name));
      add(member);
    }
  };
  add(value);
  for (const twin of caseTwins(value).keys()) names.delete(twin);
  return names;
}

/** Why a document cannot be used where these names, folded, are read. */
export function whyAmbiguous(twins: CaseTwins, names: ReadonlySet<string>): string | null {
  for (const [folded, [first, second]] of twins) {
    if (names.has(folded))
      return `holds the names ${quote(first, 40)} and ${quote(second, 40)} in one object`;
  }
  return null;
}
