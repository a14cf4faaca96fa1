import { isJsonObject } from '../kit/json.ts';
import { compares, comparesToTool, lengthOf, NOTHING, negated } from './comparisons.ts';
import type { Operand, Query, Segment, Selector, Test } from './syntax.ts';

/** A node of a document, with the way to it. */
export interface Place {
  readonly value: unknown;
  readonly parent: Place | null;
  readonly key: string | number;
}

/** Is given each node that a query selects, in order; true ends the walk. */
export type Visit = (place: Place) => boolean;

/**
 * How filters compare values of two kinds: as RFC 9535, which selects none of them. Or as tools may, which read a text as a
 * number and know more than can be compared: then a walk selects the nodes that any tool may select, or that each does.
 */
type Reading = 'rfc' | 'possible' | 'certain';

/**
 * Selects depth first and keeps no list of nodes: a few wildcards select more nodes of a small document than memory
 * holds. True if a visit ended the walk.
 */
export function walk(query: Query, document: unknown, visit: Visit, reading: Reading = 'rfc'): boolean {
  return walkOn({ segments: query.segments, root: document, visit, reading }, 0, rootOf(document));
}

const rootOf = (value: unknown): Place => ({ value, parent: null, key: '' });

interface Walk {
  readonly segments: readonly Segment[];
  readonly root: unknown;
  readonly reading: Reading;
  readonly visit: Visit;
}

/** What a filter is evaluated in. */
type Scope = Pick<Walk, 'root' | 'reading'>;

function walkOn(walk: Walk, depth: number, place: Place): boolean {
  const segment = walk.segments[depth];
  if (segment === undefined) return walk.visit(place);
  const goOn = (child: Place) => walkOn(walk, depth + 1, child);
  return segment.isDescendant
    ? selectBelow(segment, place, walk, goOn)
    : selectAt(segment, place, walk, goOn);
}

function selectBelow(segment: Segment, place: Place, scope: Scope, visit: Visit): boolean {
  if (selectAt(segment, place, scope, visit)) return true;
  return eachChild(place, (child) => selectBelow(segment, child, scope, visit));
}

function selectAt({ selectors }: Segment, place: Place, scope: Scope, visit: Visit): boolean {
  return selectors.some((selector) => select(selector, place, scope, visit));
}

function select(selector: Selector, place: Place, scope: Scope, visit: Visit): boolean {
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
      return eachChild(
        place,
        (child) => (holds(selector.test, child.value, scope) ?? scope.reading === 'possible') && visit(child),
      );
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

/** Of a filter, for one child of the node. Undefined where only a tool knows. */
function holds(test: Test, current: unknown, scope: Scope): boolean | undefined {
  switch (test.kind) {
    case 'or':
      return oneOf(test.tests, current, scope);
    case 'and':
      return negated(oneOf(test.tests, current, scope, negated));
    case 'not':
      return negated(holds(test.test, current, scope));
    case 'exists':
      return agreed(scope, (reading) => walkFrom(test.query, current, { ...scope, reading }, () => true));
    case 'matches': {
      const text = operandOf(test.text, current, scope);
      if (typeof text === 'string') return test.pattern.test(text);
      return scope.reading === 'rfc' || text === NOTHING ? false : undefined;
    }
    case 'comparison':
      return agreed(scope, (reading) => {
        const ownScope = { ...scope, reading };
        const [left, right] = [
          operandOf(test.left, current, ownScope),
          operandOf(test.right, current, ownScope),
        ];
        return reading === 'rfc' ? compares(test, left, right) : comparesToTool(test, left, right);
      });
  }
}

/** True if one is, undefined if one may be. */
function oneOf(
  tests: readonly Test[],
  current: unknown,
  scope: Scope,
  as = (value: boolean | undefined) => value,
): boolean | undefined {
  let holdsAny: boolean | undefined = false;
  for (const test of tests) {
    const value = as(holds(test, current, scope));
    if (value === true) return true;
    if (value === undefined) holdsAny = undefined;
  }
  return holdsAny;
}

/** What is the same whether a query selects all that it may or only what it must. */
function agreed({ reading }: Scope, truthIn: (reading: Reading) => boolean | undefined): boolean | undefined {
  if (reading === 'rfc') return truthIn(reading);
  const possible = truthIn('possible');
  return possible === truthIn('certain') ? possible : undefined;
}

function walkFrom({ isRelative, segments }: Query, current: unknown, scope: Scope, visit: Visit): boolean {
  return walkOn({ ...scope, segments, visit }, 0, rootOf(isRelative ? current : scope.root));
}

function operandOf(operand: Operand, current: unknown, scope: Scope): unknown {
  if (operand.kind === 'literal') return operand.value;
  if (operand.kind === 'length') return lengthOf(operandOf(operand.of, current, scope)) ?? NOTHING;
  let [count, value]: [number, unknown] = [0, NOTHING];
  walkFrom(operand.query, current, scope, (place) => {
    count++;
    value = place.value;
    return operand.kind === 'value' && count > 1;
  });
  if (operand.kind === 'count') return count;
  return count === 1 ? value : NOTHING;
}
