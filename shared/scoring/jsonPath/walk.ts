import { equalJson } from '../compare/equality.ts';
import { isJsonObject } from '../compare/json.ts';
import { characterCount } from '../engine/text.ts';
import type { Comparison, Operand, Query, Segment, Selector, Test } from './syntax.ts';

/** A node of a document, with the way to it. */
export interface Place {
  readonly value: unknown;
  readonly parent: Place | null;
  readonly key: string | number;
}

/** Is given each node that a query selects, in order; true ends the walk. */
export type Visit = (place: Place) => boolean;

/**
 * Selects depth first and keeps no list of nodes: a few wildcards select more nodes of a small document than memory
 * holds. True if a visit ended the walk.
 */
export function walk(query: Query, document: unknown, visit: Visit): boolean {
  return walkOn({ segments: query.segments, root: document, visit }, 0, rootOf(document));
}

const rootOf = (value: unknown): Place => ({ value, parent: null, key: '' });

interface Walk {
  readonly segments: readonly Segment[];
  readonly root: unknown;
  readonly visit: Visit;
}

function walkOn(walk: Walk, depth: number, place: Place): boolean {
  const segment = walk.segments[depth];
  if (segment === undefined) return walk.visit(place);
  const goOn = (child: Place) => walkOn(walk, depth + 1, child);
  return segment.isDescendant
    ? selectBelow(segment, place, walk.root, goOn)
    : selectAt(segment, place, walk.root, goOn);
}

function selectBelow(segment: Segment, place: Place, root: unknown, visit: Visit): boolean {
  if (selectAt(segment, place, root, visit)) return true;
  return eachChild(place, (child) => selectBelow(segment, child, root, visit));
}

function selectAt({ selectors }: Segment, place: Place, root: unknown, visit: Visit): boolean {
  return selectors.some((selector) => select(selector, place, root, visit));
}

function select(selector: Selector, place: Place, root: unknown, visit: Visit): boolean {
  switch (selector.kind) {
    case 'name':
      return isJsonObject(place.value) && visitOwn(place, selector.name, visit);
    case 'wildcard':
      return eachChild(place, visit);
    case 'index':
      return visitIndex(place, selector.index, visit);
    case 'slice':
      return eachOfSlice(place, selector, visit);
    case 'filter':
      return eachChild(place, (child) => holds(selector.test, child.value, root) && visit(child));
  }
}

function visitOwn(parent: Place, key: string, visit: Visit): boolean {
  const object = parent.value as Record<string, unknown>;
  return Object.hasOwn(object, key) && visit({ value: object[key], parent, key });
}

function visitIndex(parent: Place, index: number, visit: Visit): boolean {
  if (!Array.isArray(parent.value)) return false;
  const key = index < 0 ? parent.value.length + index : index;
  return key >= 0 && key < parent.value.length && visit({ value: parent.value[key], parent, key });
}

function eachChild(parent: Place, visit: Visit): boolean {
  const { value } = parent;
  if (Array.isArray(value)) return value.some((child, key) => visit({ value: child, parent, key }));
  return isJsonObject(value) && Object.keys(value).some((key) => visit({ value: value[key], parent, key }));
}

type Slice = Extract<Selector, { kind: 'slice' }>;

function eachOfSlice(parent: Place, slice: Slice, visit: Visit): boolean {
  const { step } = slice;
  if (!Array.isArray(parent.value) || step === 0) return false;
  const [first, beyond] = boundsOf(slice, parent.value.length);
  for (let key = first; step > 0 ? key < beyond : key > beyond; key += step) {
    if (visit({ value: parent.value[key], parent, key })) return true;
  }
  return false;
}

function boundsOf({ start, end, step }: Slice, length: number): readonly [number, number] {
  const [least, most] = step > 0 ? [0, length] : [-1, length - 1];
  const [first, beyond] = step > 0 ? [least, most] : [most, least];
  const bounded = (index: number) => Math.min(Math.max(index < 0 ? length + index : index, least), most);
  return [start === undefined ? first : bounded(start), end === undefined ? beyond : bounded(end)];
}

/** Of a filter, for one child of the node. */
function holds(test: Test, current: unknown, root: unknown): boolean {
  switch (test.kind) {
    case 'or':
      return test.tests.some((part) => holds(part, current, root));
    case 'and':
      return test.tests.every((part) => holds(part, current, root));
    case 'not':
      return !holds(test.test, current, root);
    case 'exists':
      return walkFrom(test.query, current, root, () => true);
    case 'matches': {
      const text = operandOf(test.text, current, root);
      return typeof text === 'string' && test.pattern.test(text);
    }
    case 'comparison':
      return compares(test, operandOf(test.left, current, root), operandOf(test.right, current, root));
  }
}

function walkFrom({ isRelative, segments }: Query, current: unknown, root: unknown, visit: Visit): boolean {
  return walkOn({ segments, root, visit }, 0, rootOf(isRelative ? current : root));
}

/** RFC 9535 calls it Nothing: no JSON value, and equal to itself only. */
const NOTHING = undefined;

function operandOf(operand: Operand, current: unknown, root: unknown): unknown {
  if (operand.kind === 'literal') return operand.value;
  if (operand.kind === 'length') return lengthOf(operandOf(operand.of, current, root)) ?? NOTHING;
  let [count, value]: [number, unknown] = [0, NOTHING];
  walkFrom(operand.query, current, root, (place) => {
    count++;
    value = place.value;
    return operand.kind === 'value' && count > 1;
  });
  if (operand.kind === 'count') return count;
  return count === 1 ? value : NOTHING;
}

/** Of a text in characters, of an array in elements, of an object in members. */
export function lengthOf(value: unknown): number | null {
  if (typeof value === 'string') return characterCount(value);
  if (Array.isArray(value)) return value.length;
  return isJsonObject(value) ? Object.keys(value).length : null;
}

function compares({ by }: Comparison, left: unknown, right: unknown): boolean {
  if (by === '!=') return !equalJson(left, right);
  if (by.endsWith('=') && equalJson(left, right)) return true;
  if (by.startsWith('<')) return isLess(left, right);
  return by.startsWith('>') && isLess(right, left);
}

function isLess(left: unknown, right: unknown): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left < right;
  return typeof left === 'string' && typeof right === 'string' && isTextLess(left, right);
}

const SURROGATE_MIN = 0xd800;
const BEYOND_SURROGATES = 0xe000;

/** By characters: JavaScript compares by UTF-16 units, of which the halves of characters come before U+E000. */
function isTextLess(left: string, right: string): boolean {
  const end = Math.min(left.length, right.length);
  for (let at = 0; at < end; at++) {
    const [one, other] = [left.charCodeAt(at), right.charCodeAt(at)];
    if (one === other) continue;
    if (one < SURROGATE_MIN || other < SURROGATE_MIN) return one < other;
    return one >= BEYOND_SURROGATES === other >= BEYOND_SURROGATES ? one < other : one >= BEYOND_SURROGATES;
  }
  return left.length < right.length;
}
