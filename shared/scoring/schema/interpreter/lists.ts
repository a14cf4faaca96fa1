import {
  type Check,
  fail,
  type Interpreter,
  type Keyword,
  placeOf,
  UNHEARD,
  type Visit,
} from './evaluation.ts';

export const LIST_KEYWORDS: Readonly<Record<string, Keyword>> = {
  prefixItems: (schemas: readonly unknown[], _, interpreter) => leadingItems(schemas, interpreter),
  items: (schema: unknown, parent, interpreter) => {
    if (Array.isArray(schema)) return leadingItems(schema, interpreter);
    const start =
      interpreter.draft.version === 2020 && Array.isArray(parent.prefixItems) ? parent.prefixItems.length : 0;
    return restOfItems('items', schema, start, interpreter);
  },
  additionalItems: (schema: unknown, parent, interpreter) =>
    Array.isArray(parent.items)
      ? restOfItems('additionalItems', schema, parent.items.length, interpreter)
      : null,
  contains: (schema: unknown, parent, interpreter) => {
    const { draft } = interpreter;
    const limits = draft.version >= 2019 ? parent : {};
    const min = typeof limits.minContains === 'number' ? limits.minContains : 1;
    const max = typeof limits.maxContains === 'number' ? limits.maxContains : Number.POSITIVE_INFINITY;
    const most = max === Number.POSITIVE_INFINITY ? '' : ` and no more than ${max}`;
    return ofItems((visit, items) => {
      const places = matching(interpreter, schema, visit, items);
      // Only since draft 2020-12 an item counts as evaluated for this.
      if (draft.version >= 2020) for (const index of places) visit.evaluated.addItem(index);
      if (places.length >= min && places.length <= max) return true;
      return fail(visit, 'contains', `must contain at least ${min}${most} valid item(s)`);
    });
  },
  unevaluatedItems: (schema: unknown, _, interpreter) => {
    const itemHolds = itemCheck(interpreter, schema);
    return ofItems((visit, items) => {
      const valid = eachItem(visit, items, 0, (index) => {
        if (visit.evaluated.hasItem(index) || itemHolds(visit, items, index)) return true;
        return fail(visit, 'unevaluatedItems', 'must NOT have unevaluated items', { item: index });
      });
      visit.evaluated.addLeading(items.length);
      return valid;
    });
  },
};

function ofItems(check: (visit: Visit, items: readonly unknown[]) => boolean): Check {
  return (visit) => !Array.isArray(visit.value) || check(visit, visit.value);
}

function eachItem(
  { errors }: Visit,
  items: readonly unknown[],
  start: number,
  check: (index: number) => boolean,
): boolean {
  let valid = true;
  for (let index = start; index < items.length; index++) {
    if (check(index)) continue;
    if (errors.firstDecides) return false;
    valid = false;
  }
  return valid;
}

const itemCheck =
  (interpreter: Interpreter, schema: unknown) =>
  (visit: Visit, items: readonly unknown[], index: number): boolean => {
    const { scope, errors } = visit;
    const item = { value: items[index], path: placeOf(visit, index), scope, errors };
    return interpreter.evaluate(schema, item) !== null;
  };

function leadingItems(schemas: readonly unknown[], interpreter: Interpreter): Check {
  const checks = schemas.map((schema) => itemCheck(interpreter, schema));
  return ofItems((visit, items) => {
    visit.evaluated.addLeading(schemas.length);
    const leading = items.slice(0, schemas.length);
    return eachItem(visit, leading, 0, (index) => checks[index]?.(visit, items, index) ?? true);
  });
}

function restOfItems(keyword: string, schema: unknown, start: number, interpreter: Interpreter): Check {
  const itemHolds = itemCheck(interpreter, schema);
  return ofItems((visit, items) => {
    visit.evaluated.addLeading(items.length);
    if (schema === false) {
      return items.length <= start || fail(visit, keyword, `must NOT have more than ${start} items`);
    }
    return eachItem(visit, items, start, (index) => itemHolds(visit, items, index));
  });
}

function matching(
  interpreter: Interpreter,
  schema: unknown,
  visit: Visit,
  items: readonly unknown[],
): readonly number[] {
  const itemHolds = itemCheck(interpreter, schema);
  const unheard = { ...visit, errors: UNHEARD };
  const places: number[] = [];
  for (let index = 0; index < items.length; index++) {
    if (itemHolds(unheard, items, index)) places.push(index);
  }
  return places;
}
