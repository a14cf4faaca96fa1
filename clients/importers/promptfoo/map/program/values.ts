import type { Expression, MemberExpression, SpreadElement } from 'acorn';
import { changed, converted } from './converted.ts';
import { constantOf, inside, type Scope, type Value } from './scope.ts';

const TEXT = { kind: 'text', isLower: false, isTrimmed: false } as const;

/** Undefined where it is no value that is understood. */
export function valueIn(node: Expression, scope: Scope): Value | undefined {
  if (scope.seen.left-- <= 0) return undefined;
  switch (node.type) {
    case 'ParenthesizedExpression':
    case 'ChainExpression':
      return valueIn(node.expression, scope);
    case 'Literal':
      return literalOf(node);
    case 'UnaryExpression':
      return unaryOf(node, scope);
    case 'ArrayExpression':
      return listOf(node.elements, scope);
    case 'Identifier':
      return namedValue(node.name, scope);
    case 'MemberExpression':
      return memberOf(node, scope);
    case 'CallExpression':
      return callOf(node, scope);
    default:
      return undefined;
  }
}

function literalOf({ value, regex }: Extract<Expression, { type: 'Literal' }>): Value | undefined {
  if (regex) return { kind: 'pattern', source: regex.pattern, flags: regex.flags };
  return typeof value === 'bigint' || value instanceof RegExp ? undefined : { kind: 'literal', value };
}

function unaryOf(node: Extract<Expression, { type: 'UnaryExpression' }>, scope: Scope): Value | undefined {
  const value = valueIn(node.argument, scope);
  if (value === undefined) return undefined;
  if (node.operator === 'typeof') return { kind: 'type', of: value };
  const isNumber = value.kind === 'literal' && typeof value.value === 'number';
  return node.operator === '-' && isNumber ? { kind: 'literal', value: -Number(value.value) } : undefined;
}

function listOf(elements: readonly (Expression | SpreadElement | null)[], scope: Scope): Value | undefined {
  const values = elements.map((element) =>
    element === null || element.type === 'SpreadElement' ? undefined : valueIn(element, scope),
  );
  const literals = values.flatMap((value) => (value?.kind === 'literal' ? [value.value] : []));
  return literals.length === elements.length ? { kind: 'list', values: literals } : undefined;
}

function namedValue(name: string, scope: Scope): Value | undefined {
  const own = constantOf(name, scope);
  if (own !== undefined) return valueIn(own.node, own.scope);
  if (name === 'output') return TEXT;
  return name === 'undefined' ? { kind: 'literal', value: undefined } : undefined;
}

/** The name or the index behind the dot, or in the brackets. */
function stepOf({ computed, property }: MemberExpression): string | number | undefined {
  if (!computed) return property.type === 'Identifier' ? property.name : undefined;
  if (property.type !== 'Literal') return undefined;
  const { value } = property;
  if (typeof value === 'number')
    return Number.isInteger(value) && value >= 0 && value < 1e6 ? value : undefined;
  return typeof value === 'string' ? value : undefined;
}

function memberOf(node: MemberExpression, scope: Scope): Value | undefined {
  const step = stepOf(node);
  if (step === undefined || node.object.type === 'Super') return undefined;
  const variable = variableOf(node.object, step, scope);
  if (variable !== undefined) return variable;
  const of = valueIn(node.object, scope);
  if (step === 'length' && (of?.kind === 'text' || of?.kind === 'json')) return { kind: 'length', of };
  if (of?.kind === 'json' && !of.isLower) return inside(of.path, step, of.isRead);
  // What has members is no text.
  return of === TEXT && !isMethod(step) ? inside('$', step, false) : undefined;
}

const METHODS = new Set(Object.getOwnPropertyNames(String.prototype));
const isMethod = (step: string | number): boolean => METHODS.has(String(step));

/** `context.vars.name`, where it is a plain value. */
function variableOf(object: Expression, step: string | number, { names, vars }: Scope): Value | undefined {
  const isVars =
    object.type === 'MemberExpression' &&
    object.object.type === 'Identifier' &&
    object.object.name === 'context' &&
    !names.has('context') &&
    stepOf(object) === 'vars';
  if (!isVars || !Object.hasOwn(vars, step)) return undefined;
  const value = vars[step];
  const isPlain = ['string', 'number', 'boolean'].includes(typeof value) && !/\{[{%#]/.test(String(value));
  return isPlain ? { kind: 'literal', value: value as string } : undefined;
}

type Call = Extract<Expression, { type: 'CallExpression' }>;

function callOf({ callee, arguments: given }: Call, scope: Scope): Value | undefined {
  if (callee.type === 'Identifier') return ofFunction(callee.name, given, scope);
  if (callee.type !== 'MemberExpression' || callee.object.type === 'Super') return undefined;
  const [first] = given;
  if (first === undefined) return changed(String(stepOf(callee)), valueIn(callee.object, scope));
  if (given.length > 1 || first.type === 'SpreadElement' || !isJsonParse(callee, scope)) return undefined;
  const read = valueIn(first, scope);
  return read?.kind === 'text' && !read.isLower ? { kind: 'json', path: '$', isRead: true } : undefined;
}

function ofFunction(name: string, given: Call['arguments'], scope: Scope): Value | undefined {
  const [first, ...more] = given;
  if (first === undefined || first.type === 'SpreadElement' || scope.names.has(name)) return undefined;
  const isTen = more.length === 1 && more[0]?.type === 'Literal' && more[0].value === 10;
  if (more.length > 0 && !(isTen && name === 'parseInt')) return undefined;
  return converted(name, valueIn(first, scope));
}

const isJsonParse = ({ object, property }: MemberExpression, { names }: Scope): boolean =>
  object.type === 'Identifier' &&
  object.name === 'JSON' &&
  !names.has('JSON') &&
  property.type === 'Identifier' &&
  property.name === 'parse';
