import type * as z from 'zod';
import type { Path } from '../read/parts.ts';
import { ownOf } from '../read/parts.ts';

type Schema = z.core.$ZodTypes;

/** The fields of the object that a schema expects at a path of a value. */
export function knownFields(schema: z.core.$ZodType, path: Path, value: unknown): string[] {
  let objectSchema = objectOf(schema, value);
  let inside = value;
  for (const step of path) {
    inside = ownOf(inside, step);
    objectSchema = objectOf(objectSchema && below(objectSchema, step), inside);
  }
  return objectSchema?._zod.def.type === 'object' ? Object.keys(objectSchema._zod.def.shape) : [];
}

function below(schema: Schema, step: PropertyKey): z.core.$ZodType | undefined {
  const { def } = schema._zod;
  if (def.type === 'object') return ownOf(def.shape, step) as z.core.$ZodType | undefined;
  if (def.type === 'array') return def.element;
  return def.type === 'record' ? def.valueType : undefined;
}

/** The intended form where a schema has several: the one whose `type` the value has, else the last. */
function objectOf(schema: z.core.$ZodType | undefined, value: unknown): Schema | undefined {
  if (schema === undefined) return undefined;
  const { def } = (schema as Schema)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
      return objectOf(def.innerType, value);
    case 'pipe':
      return objectOf(def.in, value);
    case 'union': {
      const ofType = def.options.find((option) => hasTypeOf(option as Schema, value));
      return objectOf(ofType ?? def.options.at(-1), value);
    }
    default:
      return schema as Schema;
  }
}

function hasTypeOf({ _zod: { def } }: Schema, value: unknown): boolean {
  const type = def.type === 'object' ? (def.shape.type as Schema | undefined)?._zod.def : undefined;
  if (type?.type !== 'literal' || typeof value !== 'object' || value === null) return false;
  return 'type' in value && type.values.includes(value.type as string);
}

const COMPARED_LENGTH_MAX = 60;

export function whyUnknown(name: string, known: readonly string[]): string {
  const suggestion = nearest(name, known);
  return suggestion === undefined
    ? `is not a field here: leave it out, or use one of ${known.join(', ')}`
    : `is not a field here: did you mean ${suggestion}?`;
}

/** The known name that is most like another, and may be the intended one. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > COMPARED_LENGTH_MAX) return undefined;
  const close = known
    .map((other) => ({ other, distance: distanceOf(name.toLowerCase(), other.toLowerCase()) }))
    .filter(
      ({ other, distance }) => distance <= Math.max(1, Math.floor(Math.max(name.length, other.length) / 3)),
    )
    .sort((one, another) => one.distance - another.distance);
  return close[0]?.other;
}

/** How many characters have to be put in, left out or replaced. */
function distanceOf(left: string, right: string): number {
  let before = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [row, character] of [...left].entries()) {
    const next = [row + 1];
    for (let column = 1; column <= right.length; column++) {
      const replaced = (before[column - 1] ?? 0) + Number(right[column - 1] !== character);
      next.push(Math.min(replaced, (before[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    before = next;
  }
  return before.at(-1) ?? 0;
}
