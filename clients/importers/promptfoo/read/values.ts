import { ownOf, type Part } from '../../../files/read/parts.ts';
import { looksLikeKey } from '../../imports/keys.ts';

export type Fields = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const recordOf = (value: unknown): Fields => (isRecord(value) ? value : {});

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** A text that can be part of a name. */
export const wordsOf = (value: unknown): string | undefined =>
  looksLikeKey(value) ? undefined : textOf(value);

/** A field of a part that is an object, with its place. */
export const fieldOf = ({ document, path, value }: Part, name: string): Part => ({
  document,
  path: [...path, name],
  value: isRecord(value) ? ownOf(value, name) : undefined,
});

/** The items of a part that is a list. */
export const itemsOf = ({ document, path, value }: Part): Part[] =>
  listOf(value).map((item, index) => ({ document, path: [...path, index], value: item }));

export const placeOf = ({ document, path }: Part) => document.at(path);
