import type { Expression } from 'acorn';
import { type Condition, jsonCheck } from './checks.ts';
import { comparison } from './comparisons.ts';
import { joined, negated } from './joined.ts';
import { called } from './methods.ts';
import { constantOf, fieldOf, inside, type Scope, type Value } from './scope.ts';
import { valueIn } from './values.ts';

/** What an expression says of the output. Undefined where it says something that is not understood. */
export function conditionOf(node: Expression, scope: Scope): Condition | undefined {
  if (scope.seen.left-- <= 0) return undefined;
  switch (node.type) {
    case 'ParenthesizedExpression':
    case 'ChainExpression':
      return conditionOf(node.expression, scope);
    case 'LogicalExpression':
      return logical(node, scope);
    case 'UnaryExpression':
      return node.operator === '!' ? opposite(conditionOf(node.argument, scope)) : undefined;
    case 'ConditionalExpression':
      return chosen(node, scope);
    case 'BinaryExpression':
      return compared(node, scope);
    case 'CallExpression':
      return called(node, scope);
    case 'ObjectExpression':
      return answered(node, scope);
    case 'Identifier':
      return named(node.name, scope);
    case 'Literal':
      return typeof node.value === 'boolean' ? { always: node.value } : undefined;
    default:
      return undefined;
  }
}

const opposite = (condition: Condition | undefined) => condition && negated(condition);

function named(name: string, scope: Scope): Condition | undefined {
  const found = constantOf(name, scope);
  return found && conditionOf(found.node, found.scope);
}

type Logical = Extract<Expression, { type: 'LogicalExpression' }>;

function logical({ operator, left, right }: Logical, scope: Scope): Condition | undefined {
  const [one, other] = [conditionOf(left, scope), conditionOf(right, scope)];
  if (one === undefined || other === undefined || operator === '??') return undefined;
  return joined(operator === '&&' ? 'all' : 'any', [one, other]);
}

/** `test ? 1 : 0`: an answer of more than 0 passes. */
function chosen(
  node: Extract<Expression, { type: 'ConditionalExpression' }>,
  scope: Scope,
): Condition | undefined {
  const test = conditionOf(node.test, scope);
  const [yes, no] = [passes(node.consequent, scope), passes(node.alternate, scope)];
  if (test === undefined || yes === undefined || no === undefined) return undefined;
  if (yes === no) return { always: yes };
  return yes ? test : negated(test);
}

function passes(node: Expression, scope: Scope): boolean | undefined {
  const value = valueIn(node, scope);
  if (value?.kind !== 'literal') return undefined;
  if (typeof value.value === 'boolean') return value.value;
  return typeof value.value === 'number' ? value.value > 0 : undefined;
}

function compared(
  node: Extract<Expression, { type: 'BinaryExpression' }>,
  scope: Scope,
): Condition | undefined {
  if (node.left.type === 'PrivateIdentifier') return undefined;
  const [left, right] = [valueIn(node.left, scope), valueIn(node.right, scope)];
  if (left === undefined || right === undefined) return undefined;
  return node.operator === 'in' ? contained(left, right) : comparison(node.operator, left, right);
}

/** `'name' in …`. */
function contained(name: Value, of: Value): Condition | undefined {
  const inner =
    name.kind === 'literal' && of.kind === 'json' && !of.isLower
      ? inside(of.path, String(name.value), of.isRead)
      : undefined;
  return inner?.kind === 'json' ? jsonCheck(inner, { op: 'exists' }) : undefined;
}

/** `{pass: …, score: …}`, where nothing else decides. */
function answered(
  node: Extract<Expression, { type: 'ObjectExpression' }>,
  scope: Scope,
): Condition | undefined {
  const [pass, score, reason] = ['pass', 'score', 'reason'].map((name) => fieldOf(node.properties, name));
  if (pass === undefined || node.properties.length !== 3) return undefined;
  return isWritten(score, 'number', scope) && isWritten(reason, 'string', scope)
    ? conditionOf(pass, scope)
    : undefined;
}

/** A literal, or one of two: nothing that could fail. */
function isWritten(node: Expression | undefined, type: 'number' | 'string', scope: Scope): boolean {
  if (node?.type === 'ConditionalExpression') {
    const isUnderstood = conditionOf(node.test, scope) !== undefined;
    return isUnderstood && [node.consequent, node.alternate].every((one) => isWritten(one, type, scope));
  }
  return node?.type === 'Literal' && typeof node.value === type;
}
