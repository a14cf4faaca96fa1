import { canonicalText } from '../digest/documents.ts';
import { type ValuesAt, valuesAt } from '../jsonPath/values.ts';
import { holdsLarge } from '../kit/reading/expected.ts';
import type { JudgedCall } from './judgedCall.ts';
import type { Certainty } from './matcher.ts';

/** Of one call: beyond it none of them is known. */
const VALUES_MAX = 100;

/** Where calls have a value by which they are joined. */
export interface KeyPath {
  readonly path: string;
  readonly isInResult: boolean;
}

/** The values of calls at a list of paths, as texts that are the same for equal values. Each call is read once. */
export class Keys {
  readonly paths: readonly KeyPath[];
  readonly #readers: readonly ValuesAt[];
  readonly #known = new WeakMap<JudgedCall, readonly string[] | null>();

  /** Throws for a path that cannot be used. */
  constructor(paths: readonly KeyPath[], certainty: Certainty) {
    this.paths = paths;
    this.#readers = paths.map(({ path }) => valuesAt(path, certainty === 'may' ? 'possible' : 'certain'));
  }

  /** One text for each combination of the paths' values. Null where they are not known. */
  of(call: JudgedCall): readonly string[] | null {
    const known = this.#known.get(call);
    if (known !== undefined) return known;
    const read = this.#read(call);
    this.#known.set(call, read);
    return read;
  }

  #read(call: JudgedCall): readonly string[] | null {
    const lists = this.#readers.map((reader, index) => {
      const texts = valuesOf(call, this.paths[index], reader).map(keyOf);
      return texts.some((text) => text === null) ? [] : (texts as string[]);
    });
    const count = lists.reduce((product, { length }) => product * length, 1);
    if (count === 0 || count > VALUES_MAX) return null;
    const [only] = lists;
    return [...new Set(lists.length === 1 ? only : combined(lists))];
  }
}

/** None where the trace does not have them, or too many. */
export function valuesOf(call: JudgedCall, keyPath: KeyPath | undefined, read: ValuesAt): readonly unknown[] {
  const document = keyPath?.isInResult ? call.result : call.isKnown ? call.subject : undefined;
  return document === undefined ? [] : read(document, VALUES_MAX);
}

/** A number equals the text that writes it canonically, such as 7 and "7". Null for what may have been rounded. */
function keyOf(value: unknown): string | null {
  if (typeof value !== 'string') return holdsLarge(value) ? null : canonicalText(value);
  const number = Number(value);
  return Number.isFinite(number) && JSON.stringify(number) === value ? value : JSON.stringify(value);
}

const combined = (lists: readonly (readonly string[])[]): string[] =>
  lists
    .reduce<string[][]>((heads, list) => heads.flatMap((head) => list.map((text) => [...head, text])), [[]])
    .map((texts) => JSON.stringify(texts));
