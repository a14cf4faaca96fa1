import {
  boolCoreTag,
  EVENT_ID,
  floatCoreTag,
  intCoreTag,
  type MappingEvent,
  NOT_RESOLVED,
  nullCoreTag,
  type ScalarTagDefinition,
  type SequenceEvent,
} from 'js-yaml';
import { firstRounded, firstVanishing } from '../../../shared/contracts/json/roundedNumbers.ts';

const CORE: readonly ScalarTagDefinition[] = [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag];
const TAGGED = new Map<string, ScalarTagDefinition>([
  ['!!null', nullCoreTag],
  ['!!bool', boolCoreTag],
  ['!!int', intCoreTag],
  ['!!float', floatCoreTag],
]);
const TEXT = ['!', '!!str'];
const COLLECTION_TAGS = { [EVENT_ID.MAPPING]: '!!map', [EVENT_ID.SEQUENCE]: '!!seq' } as const;

export const isCollectionTag = (tag: string, { type }: MappingEvent | SequenceEvent): boolean =>
  tag === '!' || tag === COLLECTION_TAGS[type];

/**
 * By the core schema of YAML 1.2 (section 10.3.2 of its text). A number that is too large is infinite. NOT_RESOLVED where
 * the tag makes nothing of it.
 */
export function scalarValue(source: string, tag: string | undefined, isPlain: boolean): unknown {
  if (tag === undefined) return isPlain ? plainValue(source) : source;
  if (TEXT.includes(tag)) return source;
  const definition = TAGGED.get(tag);
  return definition === undefined ? NOT_RESOLVED : definition.resolve(source, true, definition.tagName);
}

/** What is wrong with a scalar that JSON cannot hold as it was written. */
export function scalarProblem(value: unknown, source: string): string | undefined {
  if (typeof value === 'string') {
    return value.isWellFormed() ? undefined : 'holds half a character: escape whole ones';
  }
  if (typeof value !== 'number') return undefined;
  if (!Number.isFinite(value)) return `${source.slice(0, 100)} is not a number of JSON`;
  const decimal = source.startsWith('+') ? source.slice(1) : source;
  const isExact = (firstRounded(decimal) ?? firstVanishing(decimal)) === undefined;
  return isExact ? undefined : `is read as ${value}: write that, or quote it as text`;
}

const byFirst = new Map<string, ScalarTagDefinition[]>();
for (const tag of CORE) {
  for (const first of tag.implicitFirstChars ?? []) byFirst.set(first, [...(byFirst.get(first) ?? []), tag]);
}

function plainValue(source: string): unknown {
  const tags = byFirst.get(source.charAt(0));
  for (const tag of tags ?? []) {
    const value = tag.resolve(source, false, tag.tagName);
    if (value !== NOT_RESOLVED) return value;
  }
  return tags?.includes(floatCoreTag) && isTooLarge(source) ? Number(source) : source;
}

/** The tags make text of a number that is larger than any other. */
const isTooLarge = (source: string): boolean =>
  /\d/.test(source) && Math.abs(Number(source)) === Number.POSITIVE_INFINITY;
