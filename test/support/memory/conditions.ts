import { type Path, placeholderOf, type Scope, Tokens, ValidationException, valueAt } from './tokens.ts';
import { isEqual, order, sizeOf, typeOf, type Value } from './values.ts';

export type Condition = (scope: Scope) => boolean;
type Operand = (scope: Scope) => Value;

const COMPARED: Readonly<Record<string, (a: Value, b: Value) => boolean>> = {
  '=': isEqual,
  '<>': (a, b) => !isEqual(a, b),
  '<': (a, b) => (order(a, b) ?? 0) < 0,
  '<=': (a, b) => (order(a, b) ?? 1) <= 0,
  '>': (a, b) => (order(a, b) ?? 0) > 0,
  '>=': (a, b) => (order(a, b) ?? -1) >= 0,
};

const FUNCTIONS: Readonly<Record<string, (path: Path, argument: Operand | undefined) => Condition>> = {
  attribute_exists: (path) => (scope) => valueAt(scope, path) !== undefined,
  attribute_not_exists: (path) => (scope) => valueAt(scope, path) === undefined,
  attribute_type: (path, type) => (scope) => {
    const value = valueAt(scope, path);
    return value !== undefined && typeOf(value) === type?.(scope);
  },
  begins_with: (path, prefix) => (scope) => {
    const value = valueAt(scope, path);
    return typeof value === 'string' && value.startsWith(String(prefix?.(scope)));
  },
  contains: (path, part) => (scope) => {
    const value = valueAt(scope, path);
    const wanted = part?.(scope);
    if (typeof value === 'string') return typeof wanted === 'string' && value.includes(wanted);
    if (value instanceof Set) return value.has(wanted);
    return Array.isArray(value) && value.some((inner) => isEqual(inner, wanted));
  },
};

export interface Compiled<Meaning> {
  readonly meaning: Meaning;
  readonly placeholders: ReadonlySet<string>;
}

/** A condition expression, by DynamoDB's grammar. */
export function compileCondition(text: string): Compiled<Condition> {
  const tokens = new Tokens(text);
  const meaning = either(tokens);
  tokens.end();
  return { meaning, placeholders: tokens.placeholders };
}

function either(tokens: Tokens): Condition {
  const first = both(tokens);
  if (!tokens.takes('OR')) return first;
  const rest = either(tokens);
  return (scope) => first(scope) || rest(scope);
}

function both(tokens: Tokens): Condition {
  const first = negated(tokens);
  if (!tokens.takes('AND')) return first;
  const rest = both(tokens);
  return (scope) => first(scope) && rest(scope);
}

function negated(tokens: Tokens): Condition {
  if (tokens.takes('NOT')) {
    const inner = negated(tokens);
    return (scope) => !inner(scope);
  }
  if (tokens.takes('(')) {
    const inner = either(tokens);
    tokens.expect(')');
    return inner;
  }
  const call = FUNCTIONS[tokens.next ?? ''];
  return call === undefined ? comparison(tokens) : called(tokens, call);
}

function called(tokens: Tokens, call: (path: Path, argument: Operand | undefined) => Condition): Condition {
  tokens.take();
  tokens.expect('(');
  const path = tokens.path();
  const argument = tokens.takes(',') ? operand(tokens) : undefined;
  tokens.expect(')');
  return call(path, argument);
}

function comparison(tokens: Tokens): Condition {
  const left = operand(tokens);
  if (tokens.takes('BETWEEN')) {
    const from = operand(tokens);
    tokens.expect('AND');
    const to = operand(tokens);
    return (scope) =>
      (order(left(scope), from(scope)) ?? -1) >= 0 && (order(left(scope), to(scope)) ?? 1) <= 0;
  }
  if (tokens.takes('IN')) {
    tokens.expect('(');
    const choices = [operand(tokens)];
    while (tokens.takes(',')) choices.push(operand(tokens));
    tokens.expect(')');
    return (scope) => choices.some((choice) => isEqual(left(scope), choice(scope)));
  }
  const compared = COMPARED[tokens.take()];
  if (compared === undefined) throw new ValidationException('A comparison has no comparator');
  const right = operand(tokens);
  return (scope) => compared(left(scope), right(scope));
}

function operand(tokens: Tokens): Operand {
  const token = tokens.next ?? '';
  if (token.startsWith(':')) {
    tokens.take();
    return (scope) => placeholderOf(scope, token);
  }
  if (token === 'size') {
    tokens.take();
    tokens.expect('(');
    const path = tokens.path();
    tokens.expect(')');
    return (scope) => sizeOf(valueAt(scope, path));
  }
  const path = tokens.path();
  return (scope) => valueAt(scope, path);
}
