import { equalJson } from '../compare/equality.ts';
import { isIn } from '../compare/search.ts';
import { asNumber, equalToTool } from '../kit/reading/asTool.ts';
import { expressionOf } from '../patterns/pattern.ts';
import { lengthOf } from './comparisons.ts';
import type { Assertion, Op } from './config.ts';

/** Whether one node is as an assertion wants it. */
export type NodeTest = (value: unknown, target: unknown) => boolean;

/** For operations that look at each node: of the others, being there decides. */
export function nodeTestOf({ op, value, tolerance, flags }: Assertion): NodeTest | null {
  switch (op) {
    case 'equals':
      return (node, target) => isNear(node, target, tolerance);
    case 'not_equals':
      return (node, target) => !isNear(node, target, tolerance);
    case 'contains':
      return holds;
    case 'matches':
      return matches(expressionOf(String(value), flags ?? ''));
    case 'gte':
      return (node, target) => typeof node === 'number' && node >= Number(target);
    case 'lte':
      return (node, target) => typeof node === 'number' && node <= Number(target);
    case 'length_gte':
      return (node, target) => (lengthOf(node) ?? -1) >= Number(target);
    case 'length_lte':
      return (node, target) => (lengthOf(node) ?? Number.POSITIVE_INFINITY) <= Number(target);
    default:
      return null;
  }
}

/** The same of what is forbidden: a number written as text is that number, and what cannot be compared may be forbidden. */
export function doubtfulTestOf({ op, value, tolerance = 0, flags }: Assertion): NodeTest {
  const near = (node: unknown, target: unknown) => {
    const number = tolerance > 0 ? asNumber(node) : undefined;
    return number === undefined ? equalToTool(node, target) : isNear(number, target, tolerance);
  };
  const compared = (node: unknown, holdsFor: (number: number) => boolean) => {
    const number = asNumber(node);
    return number === undefined || holdsFor(number);
  };
  switch (op) {
    case 'equals':
      return (node, target) => near(node, target) !== false;
    case 'not_equals':
      return (node, target) => near(node, target) !== true;
    case 'contains':
      return (node, target) =>
        Array.isArray(node)
          ? node.some((element) => equalToTool(element, target) !== false)
          : typeof node !== 'string' || typeof target !== 'string' || isIn(node, target);
    case 'matches': {
      const test = matches(expressionOf(String(value), flags ?? ''));
      return (node, target) => typeof node !== 'string' || test(node, target);
    }
    case 'gte':
      return (node, target) => compared(node, (number) => number >= Number(target));
    case 'lte':
      return (node, target) => compared(node, (number) => number <= Number(target));
    case 'length_gte':
      return (node, target) => (lengthOf(node) ?? Number.POSITIVE_INFINITY) >= Number(target);
    case 'length_lte':
      return (node, target) => (lengthOf(node) ?? -1) <= Number(target);
    default:
      return () => true;
  }
}

/** Decimal fractions are not read to their last digit: 1.01 is within 0.01 of 1. */
function isNear(node: unknown, target: unknown, tolerance = 0): boolean {
  if (tolerance === 0 || typeof node !== 'number' || typeof target !== 'number')
    return equalJson(node, target);
  const misreading = Number.EPSILON * Math.max(Math.abs(node), Math.abs(target));
  return Math.abs(node - target) <= tolerance + misreading;
}

/** A text a part, an array an element. */
function holds(node: unknown, target: unknown): boolean {
  if (Array.isArray(node)) return node.some((element) => equalJson(element, target));
  return typeof node === 'string' && typeof target === 'string' && isIn(node, target);
}

function matches(pattern: RegExp): NodeTest {
  return (node) => {
    // Only a sticky pattern would go on where its last match ended.
    pattern.lastIndex = 0;
    return typeof node === 'string' && pattern.test(node);
  };
}

export const DEMAND: Readonly<Record<Op, string>> = {
  equals: 'must equal',
  not_equals: 'must not equal',
  contains: 'must contain',
  matches: 'must match',
  gte: 'must be at least',
  lte: 'must be at most',
  exists: 'must be there',
  absent: 'must not be there',
  length_gte: 'must have a length of at least',
  length_lte: 'must have a length of at most',
};
