import type { ScoredCase } from '../../../domain/runs/ports.ts';

const EXCERPTS = ['output_excerpt', 'expected_excerpt', 'input_excerpt'] as const;
type ExcerptField = (typeof EXCERPTS)[number];
type Excerpt = string | null;

/** Which results have one: their places where neither word says it. */
type Places = 'all' | 'failed' | readonly number[];

/**
 * The excerpts of those results that have one: one for all of them, or one for each. Places for the others would take
 * more room than short texts do.
 */
export type ExcerptColumn = readonly [Places, ...Excerpt[]];

/** One for each field; null where no result has one. */
export const excerptColumns = (results: readonly ScoredCase[]): (ExcerptColumn | null)[] =>
  EXCERPTS.map((field) => columnOf(results, field));

function columnOf(results: readonly ScoredCase[], field: ExcerptField): ExcerptColumn | null {
  const places = results.flatMap((result, place) => (result[field] === undefined ? [] : [place]));
  if (places.length === 0) return null;
  const texts = places.map((place) => results[place]?.[field] ?? null);
  const isOne = texts.every((text) => text === texts[0]);
  return [placesInShort(results, places), ...(isOne ? texts.slice(0, 1) : texts)];
}

function placesInShort(results: readonly ScoredCase[], places: readonly number[]): Places {
  if (places.length === results.length) return 'all';
  const failed = failedPlaces(results);
  return failed.length === places.length && failed.every((place, index) => place === places[index])
    ? 'failed'
    : places;
}

const failedPlaces = (results: readonly Pick<ScoredCase, 'passed'>[]): number[] =>
  results.flatMap(({ passed }, place) => (passed ? [] : [place]));

/** Adds to each of the results the excerpts it had. */
export function addExcerpts(results: ScoredCase[], columns: readonly (ExcerptColumn | null)[]): void {
  for (const [index, field] of EXCERPTS.entries()) addColumn(results, field, columns[index] ?? [[]]);
}

function addColumn(results: ScoredCase[], field: ExcerptField, [of, ...texts]: ExcerptColumn): void {
  for (const [index, place] of placesOf(results, of).entries()) {
    const result = results[place];
    if (result !== undefined) result[field] = (texts.length === 1 ? texts[0] : texts[index]) ?? null;
  }
}

function placesOf(results: readonly ScoredCase[], of: Places): readonly number[] {
  if (of === 'all') return [...results.keys()];
  return of === 'failed' ? failedPlaces(results) : of;
}
