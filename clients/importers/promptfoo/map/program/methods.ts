import type { Expression, MemberExpression } from 'acorn';
import { escaped, foldedPattern } from '../../../imports/escaped.ts';
import { type Condition, check, jsonCheck, NUMBERS_ONLY, TEXTS_ONLY } from './checks.ts';
import type { Scope, Value } from './scope.ts';
import { valueIn } from './values.ts';

type Call = Extract<Expression, { type: 'CallExpression' }>;
type Of<Kind> = Extract<Value, { readonly kind: Kind }>;

/** `output.includes('x')` and its like: a method with one argument that answers whether it is so. */
export function called({ callee, arguments: given }: Call, scope: Scope): Condition | undefined {
  const [argument] = given;
  if (given.length !== 1 || argument === undefined || argument.type === 'SpreadElement') return undefined;
  if (callee.type === 'Identifier') return callee.name === 'isNaN' ? noNumber(argument, scope) : undefined;
  return callee.type === 'MemberExpression' ? ofMethod(callee, argument, scope) : undefined;
}

function ofMethod(callee: MemberExpression, argument: Expression, scope: Scope): Condition | undefined {
  const { object, property, computed } = callee;
  if (object.type === 'Super' || computed || property.type !== 'Identifier') return undefined;
  const [of, value] = [valueIn(object, scope), valueIn(argument, scope)];
  if (value === undefined) return undefined;
  if (property.name === 'isArray' && isArrayOf(object, scope)) return list(value);
  return of && answered(property.name, of, value);
}

/** The `Array` of JavaScript. */
const isArrayOf = (object: Expression, { names }: Scope): boolean =>
  object.type === 'Identifier' && object.name === 'Array' && !names.has('Array');

const list = (value: Value): Condition | undefined =>
  value.kind === 'json' && !value.isLower ? jsonCheck(value, { is: 'list' }) : undefined;

function answered(method: string, of: Value, value: Value): Condition | undefined {
  if (of.kind === 'pattern') return method === 'test' ? matched(of, value) : undefined;
  if (of.kind === 'list') return method === 'includes' ? listed(of.values, value) : undefined;
  if (value.kind !== 'literal') return undefined;
  if (of.kind === 'text') return typeof value.value === 'string' ? found(method, of, value.value) : undefined;
  return of.kind === 'json' ? foundInJson(method, of, value.value) : undefined;
}

/** `isNaN(parseFloat(…))`. */
function noNumber(argument: Expression, scope: Scope): Condition | undefined {
  const value = scope.names.has('isNaN') ? undefined : valueIn(argument, scope);
  if (value?.kind !== 'number' || value.of.kind !== 'json' || value.of.isLower) return undefined;
  return { not: jsonCheck(value.of, { is: 'number' }) };
}

/** A pattern that is written in the program is new each time, so that `g` changes nothing. */
function matched({ source, flags }: Of<'pattern'>, value: Value): Condition | undefined {
  const own = flags.replace('g', '');
  if (own.includes('y') || own.includes('v')) return undefined;
  if (value.kind === 'text' && !value.isLower && !value.isTrimmed)
    return check({ pattern: source, flags: own });
  const of = value.kind === 'string' ? value.of : value;
  if (of.kind !== 'json' || of.isLower) return undefined;
  const assertion = { op: 'matches', value: source, ...(own === '' ? {} : { flags: own }) };
  return jsonCheck(of, assertion, { differences: [TEXTS_ONLY] });
}

/** `['a', 'b'].includes(…)`. */
function listed(values: readonly unknown[], value: Value): Condition | undefined {
  const isFound = value.kind === 'literal' ? values.includes(value.value) : undefined;
  if (isFound !== undefined) return { always: isFound };
  const texts = values.filter((one) => typeof one === 'string');
  if (value.kind !== 'json' || value.isLower || texts.length === 0 || texts.length < values.length)
    return undefined;
  return jsonCheck(value, { op: 'matches', value: `^(?:${texts.map(escaped).join('|')})$` });
}

const AROUND: ReadonlyMap<string, readonly [string, string]> = new Map(
  Object.entries({
    startsWith: ['^', ''],
    endsWith: ['', '$'],
  }),
);

function found(method: string, { isLower, isTrimmed }: Of<'text'>, value: string): Condition | undefined {
  if (value === '') return undefined;
  if (isLower && value !== value.toLowerCase()) return { always: false };
  if (isTrimmed && value !== value.trim()) return undefined;
  if (method === 'includes') return check({ holds: value, isFolded: isLower });
  const [before, after] = AROUND.get(method) ?? [];
  const text = isLower ? foldedPattern(value) : escaped(value);
  if (before === undefined || after === undefined || text === undefined) return undefined;
  const blank = isTrimmed ? '\\s*' : '';
  return check({ pattern: before === '' ? `${text}${blank}$` : `^${blank}${text}`, flags: '' });
}

function foundInJson(method: string, of: Of<'json'>, value: unknown): Condition | undefined {
  if (value === undefined || value === '') return undefined;
  if (method === 'includes' && !of.isLower) {
    const differences = typeof value === 'string' ? [] : [NUMBERS_ONLY];
    return jsonCheck(of, { op: 'contains', value }, { differences });
  }
  return typeof value === 'string' ? foundByPattern(method, of, value) : undefined;
}

function foundByPattern(method: string, of: Of<'json'>, value: string): Condition | undefined {
  if (of.isLower && value !== value.toLowerCase()) return undefined;
  const [before, after] = method === 'includes' ? ['', ''] : (AROUND.get(method) ?? []);
  const text = of.isLower ? foldedPattern(value) : escaped(value);
  if (before === undefined || text === undefined) return undefined;
  return jsonCheck(of, { op: 'matches', value: `${before}${text}${after}` });
}
