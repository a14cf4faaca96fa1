import { type Comparison, firstDifference } from '../compare/equality.ts';
import { lookalikeName } from '../compare/lookalike.ts';
import { placeOf, restAt, startOfDifference } from '../compare/textDifference.ts';
import { isJsonObject } from '../kit/json.ts';
import { clip, QUOTED_LENGTH, quote } from '../kit/text.ts';
import { atOwnStep } from '../schema/pointers.ts';
import type { Query } from './syntax.ts';
import type { Place } from './walk.ts';

const EXACTLY: Comparison = { fold: (text) => text, keysOf: Object.keys };

/**
 * Where a node is not what it has to equal, down to the member that differs. What comes from `expected` is hidden: reasons
 * are read by those who may not see it.
 */
export function inequality(node: Place, target: unknown, isHidden: boolean): string {
  const { path, message } = firstDifference(target, node.value, EXACTLY) ?? { path: [], message: '' };
  const place = path.reduce(memberOf, node);
  const expected = path.map(String).reduce(atOwnStep, target);
  const isLong = isLongText(place.value) || isLongText(expected);
  if (!isHidden && (path.length > 0 || isLong)) return `${locationOf(place)} ${message}`;
  if (place.value === undefined) return `${locationOf(place.parent ?? place)} lacks a member`;
  if (expected === undefined) return `${locationOf(place)} is not expected`;
  if (!isLong || typeof place.value !== 'string' || typeof expected !== 'string') return inWords(place);
  const from = startOfDifference(place.value, expected);
  return `${locationOf(place)} differs ${placeOf(place.value, from)}: ${restAt(place.value, from)}`;
}

const isLongText = (value: unknown): boolean => typeof value === 'string' && value.length > QUOTED_LENGTH;

function memberOf(parent: Place, key: string | number): Place {
  return { value: atOwnStep(parent.value, String(key)), parent, key };
}

/** What is in place of a path that selects nothing, where it names one member after the other. */
export function nothingThere({ segments }: Query, document: unknown): string {
  const nothing = 'there is nothing at this path';
  let place: Place = { value: document, parent: null, key: '' };
  for (const { isDescendant, selectors } of segments) {
    const [selector] = selectors;
    if (isDescendant || selectors.length > 1 || selector?.kind !== 'name') return nothing;
    const { name } = selector;
    if (!isJsonObject(place.value)) return nothing;
    const other = Object.hasOwn(place.value, name)
      ? undefined
      : lookalikeName(name, Object.keys(place.value));
    if (other !== undefined) return `${nothing}, and ${locationOf(memberOf(place, other))} is there`;
    place = memberOf(place, name);
  }
  return nothing;
}

export function inWords(place: Place): string {
  return `${locationOf(place)} is ${describe(place.value)}`;
}

/** A path that selects nothing else, with long names cut. */
function locationOf(place: Place): string {
  let location = '';
  for (let step = place; step.parent !== null; step = step.parent) {
    location = `[${typeof step.key === 'number' ? step.key : quote(step.key, 40)}]${location}`;
  }
  return clip(`$${location}`, 150);
}

export function describe(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return isJsonObject(value) ? 'an object' : String(value);
}
