import { canonicalText, documentDigest } from '../../scoring/digest/documents.ts';

export type FieldChanges = Record<string, { from: unknown; to: unknown }>;

export const isSame = (one: unknown, other: unknown): boolean =>
  one === other || canonicalText(one) === canonicalText(other);

/** Undefined: there is none before, or after. */
export function changesBetween<T extends object>(
  names: readonly (keyof T & string)[],
  before: T | undefined,
  after: T | undefined,
): FieldChanges {
  const changes: FieldChanges = {};
  for (const name of names) {
    const [from, to] = [before?.[name] ?? null, after?.[name] ?? null];
    if (!isSame(from, to)) changes[name] = { from, to };
  }
  return changes;
}

const VALUE_BYTES_MAX = 4_096;

/** What stands for a value that is not shown. */
export interface Hidden {
  /** Of the value's canonical JSON; null where nothing says it any more. */
  readonly sha256: string | null;
  /** Left out where the value is gone. */
  readonly bytes?: number;
}

export function hidden(value: unknown): Hidden {
  return { sha256: documentDigest(value), bytes: Buffer.byteLength(canonicalText(value)) };
}

/** `isHidden`: however small it is. Null stays, so that there is none. */
export function shown(value: unknown, isHidden: boolean): unknown {
  if (value === null || value === undefined) return null;
  return isHidden || Buffer.byteLength(canonicalText(value)) > VALUE_BYTES_MAX ? hidden(value) : value;
}
