import type { Fields } from '../../read/values.ts';

/** When a program passes an output. */
export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }
  | { readonly always: boolean }
  | { readonly check: Check };

/** What a value has to be: `json_path` says so only together with another assertion on it. */
export type Kind = 'list' | 'number' | 'text';

/** One thing that a program asks of the output, as a text or as JSON. */
export type Check = TextCheck | JsonCheck;

export type TextCheck =
  | { readonly holds: string; readonly isFolded: boolean }
  | { readonly equals: string }
  | { readonly pattern: string; readonly flags: string };

export interface JsonCheck {
  /** An assertion of `json_path`, or `is`, which none says alone. */
  readonly assertion: Fields & { readonly path: string; readonly is?: Kind };
  /** The one that holds where this one does not. */
  readonly opposite?: JsonCheck['assertion'];
  readonly differences: readonly string[];
}

export const check = (one: Check): Condition => ({ check: one });

const READ_AS_JSON =
  'there the output is JSON already, by its provider or a transform: here the text of it is read as JSON';
export const NUMBERS_ONLY = 'there a text that reads as a number is compared, too';
export const NUMBER_READ =
  'there a number may begin a text, and what is behind it does not count: here it is a number of JSON';
export const NO_NUMBERS = 'there what reads as this text is equal to it, a number too: here only the text is';
export const MUST_BE_THERE = 'there what is missing is unlike it, too: here it has to be there';
export const COUNTED =
  'there `length` counts UTF-16 units of a text, here characters, and members of an object, too';
export const TEXTS_ONLY = 'there what is no text is made one first: here it does not match';

export const jsonCheck = (
  { path, isRead }: { readonly path: string; readonly isRead: boolean },
  assertion: Fields,
  {
    opposite,
    differences = [],
  }: { readonly opposite?: Fields; readonly differences?: readonly string[] } = {},
): Condition =>
  check({
    assertion: { path, ...assertion },
    ...(opposite === undefined ? {} : { opposite: { path, ...opposite } }),
    differences: isRead ? differences : [READ_AS_JSON, ...differences],
  });
