import { canonicalJson, isJsonObject, type Parsed } from '../json.ts';
import { partsOf } from './tokens.ts';
import { wordsOf } from './words.ts';

export type PartsKind = 'words' | 'array' | 'object' | 'scalar';

/** How often each part occurs, in order of first occurrence. */
export interface PartCounts {
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

export interface PartsOverlap {
  readonly found: number;
  readonly missing: readonly string[];
  readonly extra: readonly string[];
}

export function kindOf(value: unknown): PartsKind {
  if (Array.isArray(value)) return 'array';
  if (isJsonObject(value)) return 'object';
  return typeof value === 'string' ? 'words' : 'scalar';
}

export function countParts(value: unknown): PartCounts {
  return countsOf(typeof value === 'string' ? wordsOf(value) : partsOf(value));
}

/** Parts of an output of another kind may not match: each is marked, and there is at least one. */
export function countOutputParts(text: string, parsed: Parsed, kind: PartsKind): PartCounts {
  if (kind === 'words') return countsOf(wordsOf(text));
  if (!parsed.ok) {
    const words = wordsOf(text);
    return kind === 'scalar' && !parsed.isJson ? countsOf(words) : unmatchable(words);
  }
  const { value } = parsed;
  const parts = typeof value === 'string' ? [canonicalJson(value)] : partsOf(value);
  const isSameKind = kindOf(value) === kind || (kind === 'scalar' && typeof value === 'string');
  return isSameKind ? countsOf(parts) : unmatchable(parts);
}

/** A lone surrogate occurs neither in a stored text nor in JSON written by `canonicalJson`. */
const OTHER_KIND = '\ud800';

function unmatchable(parts: readonly string[]): PartCounts {
  return countsOf(parts.length === 0 ? [OTHER_KIND] : parts.map((part) => OTHER_KIND + part));
}

export function bare(part: string): string {
  return part.startsWith(OTHER_KIND) ? part.slice(OTHER_KIND.length) : part;
}

export function countsOf(parts: readonly string[]): PartCounts {
  const counts = new Map<string, number>();
  for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1);
  return { counts, total: parts.length };
}

export function folded({ counts, total }: PartCounts): PartCounts {
  const lower = new Map<string, number>();
  for (const [part, count] of counts) {
    const key = part.toLowerCase();
    lower.set(key, (lower.get(key) ?? 0) + count);
  }
  return { counts: lower, total };
}

/** Each occurrence matches one occurrence. Takes time in proportion to the expected parts, not the given ones. */
export function overlapOf(expected: PartCounts, given: PartCounts): PartsOverlap {
  let foundCount = 0;
  const missing: string[] = [];
  for (const [part, expectedCount] of expected.counts) {
    const there = given.counts.get(part) ?? 0;
    foundCount += Math.min(expectedCount, there);
    if (there < expectedCount) missing.push(part);
  }
  return { found: foundCount, missing, extra: firstExtra(expected, given) };
}

function firstExtra(expected: PartCounts, given: PartCounts): string[] {
  const extra: string[] = [];
  for (const [part, there] of given.counts) {
    const tooMany = there - (expected.counts.get(part) ?? 0);
    for (let left = tooMany; left > 0 && extra.length < 3; left--) extra.push(part);
    if (extra.length === 3) break;
  }
  return extra;
}
