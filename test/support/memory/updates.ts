import type { Compiled } from './conditions.ts';
import { type Path, placeholderOf, type Scope, Tokens, ValidationException, valueAt } from './tokens.ts';
import { copied, type Value } from './values.ts';

/** Returns the updated item; the scope's item is unchanged. */
export type Update = (scope: Scope) => Record<string, Value>;
type Operand = (scope: Scope) => Value;
/** Reads from the item before and changes the one after. */
type Action = (before: Scope, after: Scope) => void;

/** An update expression, by DynamoDB's grammar. */
export function compileUpdate(text: string): Compiled<Update> {
  const tokens = new Tokens(text);
  const actions: Action[] = [];
  const clauses = { SET: set, REMOVE: remove, ADD: add, DELETE: subtract };
  while (tokens.next !== undefined) {
    const clause = clauses[tokens.take().toUpperCase() as keyof typeof clauses];
    if (clause === undefined) throw new ValidationException(`Not an update: ${text}`);
    do actions.push(clause(tokens));
    while (tokens.takes(','));
  }
  const meaning: Update = (before) => {
    const after = { ...before, item: copied(before.item) };
    for (const act of actions) act(before, after);
    return after.item;
  };
  return { meaning, placeholders: tokens.placeholders };
}

function set(tokens: Tokens): Action {
  const path = tokens.path();
  tokens.expect('=');
  const value = sum(tokens);
  return (before, after) => put(after, path, value(before));
}

function remove(tokens: Tokens): Action {
  const path = tokens.path();
  return (_, after) => {
    const { holder, name } = placeOf(after, path);
    if (Array.isArray(holder)) holder.splice(Number(name), 1);
    else delete holder[name];
  };
}

function add(tokens: Tokens): Action {
  const path = tokens.path();
  const more = operand(tokens);
  return (before, after) => {
    const there = valueAt(before, path);
    const added = more(before);
    if (added instanceof Set) put(after, path, new Set([...((there as Set<Value>) ?? []), ...added]));
    else put(after, path, numeric(there ?? 0) + numeric(added));
  };
}

function subtract(tokens: Tokens): Action {
  const path = tokens.path();
  const less = operand(tokens);
  return (before, after) => {
    const there = valueAt(before, path);
    if (there === undefined) return;
    const left = [...(there as Set<Value>)].filter((one) => !(less(before) as Set<Value>).has(one));
    const { holder, name } = placeOf(after, path);
    if (left.length > 0) put(after, path, new Set(left));
    else delete (holder as Record<string, Value>)[name];
  };
}

function sum(tokens: Tokens): Operand {
  const left = operand(tokens);
  const sign = tokens.takes('+') ? 1 : tokens.takes('-') ? -1 : 0;
  if (sign === 0) return left;
  const right = operand(tokens);
  return (scope) => numeric(left(scope)) + sign * numeric(right(scope));
}

function operand(tokens: Tokens): Operand {
  const token = tokens.next ?? '';
  if (token.startsWith(':')) {
    tokens.take();
    return (scope) => placeholderOf(scope, token);
  }
  if (tokens.takes('if_not_exists')) {
    const [path, otherwise] = pair(tokens, () => tokens.path());
    return (scope) => valueAt(scope, path) ?? otherwise(scope);
  }
  if (tokens.takes('list_append')) {
    const [first, second] = pair(tokens, () => operand(tokens));
    return (scope) => [...listed(first(scope)), ...listed(second(scope))];
  }
  const path = tokens.path();
  return (scope) => {
    const value = valueAt(scope, path);
    if (value === undefined) throw new ValidationException('An operand of an update is not in the item');
    return value;
  };
}

function pair<First>(tokens: Tokens, first: () => First): [First, Operand] {
  tokens.expect('(');
  const one = first();
  tokens.expect(',');
  const other = operand(tokens);
  tokens.expect(')');
  return [one, other];
}

function numeric(value: Value): number {
  if (typeof value !== 'number') throw new ValidationException('An operand of an update is no number');
  return value;
}

function listed(value: Value): Value[] {
  if (!Array.isArray(value)) throw new ValidationException('An operand of an update is no list');
  return value;
}

function placeOf(
  scope: Scope,
  path: Path,
): { holder: Record<string | number, Value>; name: string | number } {
  const [last, ...outer] = path.toReversed();
  const holder = outer.length === 0 ? scope.item : valueAt(scope, outer.toReversed());
  if (typeof holder !== 'object' || holder === null || last === undefined) {
    throw new ValidationException('The document path of an update is not in the item');
  }
  return { holder: holder as Record<string | number, Value>, name: last(scope) };
}

function put(scope: Scope, path: Path, value: Value): void {
  const { holder, name } = placeOf(scope, path);
  if (Array.isArray(holder) && Number(name) >= holder.length) holder.push(copied(value));
  else holder[name] = copied(value);
}
