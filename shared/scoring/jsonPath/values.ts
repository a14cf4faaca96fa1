import type { Subject } from '../kit/reading/subject.ts';
import { needsOf, unreadable } from './assertions.ts';
import { parsePath } from './parser.ts';
import { walk } from './walk.ts';

/** The values at a path. None where the document cannot be read there, or has more than `countMax`. */
export type ValuesAt = (json: Subject, countMax: number) => readonly unknown[];

/** `possible`: also what a filter may select by what cannot be compared. Throws for a path that cannot be used. */
export function valuesAt(path: string, reading: 'possible' | 'certain'): ValuesAt {
  const query = parsePath(path);
  const needs = needsOf(query);
  return (json, countMax) => {
    if (!json.parsed.ok || unreadable(json, needs) !== null) return [];
    const values: unknown[] = [];
    const isMore = walk(query, json.parsed.value, ({ value }) => values.push(value) > countMax, reading);
    return isMore ? [] : values;
  };
}
