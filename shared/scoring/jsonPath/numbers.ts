import type { Comparison, Operand, Query, Test } from './syntax.ts';

/**
 * True if a filter may answer differently when a number beyond 2^53 is read as the next one: it compares two numbers of
 * the output, or one with a number as large.
 */
export function needsExactNumbers({ segments }: Query): boolean {
  return segments.some(({ selectors }) =>
    selectors.some((selector) => selector.kind === 'filter' && isSensitive(selector.test)),
  );
}

function isSensitive(test: Test): boolean {
  switch (test.kind) {
    case 'or':
    case 'and':
      return test.tests.some(isSensitive);
    case 'not':
      return isSensitive(test.test);
    case 'exists':
      return needsExactNumbers(test.query);
    case 'matches':
      return isWithin(test.text);
    case 'comparison':
      return isSensitiveComparison(test);
  }
}

function isSensitiveComparison({ left, right }: Comparison): boolean {
  return (mayBeLarge(left) && mayBeLarge(right)) || isWithin(left) || isWithin(right);
}

function mayBeLarge(operand: Operand): boolean {
  if (operand.kind !== 'literal') return operand.kind === 'value';
  return typeof operand.value === 'number' && Math.abs(operand.value) > Number.MAX_SAFE_INTEGER;
}

/** In a query that the operand is made from. */
function isWithin(operand: Operand): boolean {
  if (operand.kind === 'literal') return false;
  return operand.kind === 'length' ? isWithin(operand.of) : needsExactNumbers(operand.query);
}
