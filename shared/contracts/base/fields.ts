import * as z from 'zod';

/** The input that a form has for a field, where the type of the schema does not say it. */
type Widget =
  /** Several lines of text. */
  | 'area'
  /** A list of texts, one a line. */
  | 'lines'
  /** A list of words, with commas between them. */
  | 'words'
  /** A JSON value. */
  | 'json'
  /** A day, from whose beginning in UTC on something holds. */
  | 'date'
  /** An object whose fields are drawn in a group. One that may be left out has a box to tick. */
  | 'group'
  /** A list of objects, one a row. */
  | 'rows'
  /** A text, a JSON value or nothing. */
  | 'expected'
  /** A scorer of the project, or a new one. */
  | 'scorer';

/** How people read a field. Forms are drawn from it and the schema; what is shown of a value is called so, too. */
export interface FieldWords {
  readonly label: string;
  readonly hint?: string;
  readonly widget?: Widget;
  /** What its result is called, where the label is a sentence. */
  readonly result?: string;
  /** What a row of the list is called. */
  readonly row?: string;
  /** The value is a bound: a run has to reach it, or must not exceed it. */
  readonly bound?: 'least' | 'most';
  /** A share that people read and type in percent. */
  readonly unit?: 'percent';
  /** What the values of an enumeration are called, in the order in which they are offered. */
  readonly options?: Readonly<Record<string, string>>;
  /** What a field that is left out means, where the schema has no default. */
  readonly absent?: unknown;
  /** What a form begins with where the field is new. */
  readonly sample?: unknown;
  readonly placeholder?: string;
  /** Blanks around a typed text are dropped. */
  readonly isTrimmed?: true;
  /** Of a gate: it compares runs with a baseline. */
  readonly isRelative?: true;
  /** Few need it: it is folded away. */
  readonly isFurther?: true;
  /** Of an object: what its fields that few need are called together. */
  readonly further?: string;
}

const words = z.registry<FieldWords>();

/** The schema with the words for it. The schema itself may be one that other fields have, too. */
export function described<Schema extends z.ZodType>(schema: Schema, fieldWords: FieldWords): Schema {
  const describedSchema = schema.clone(undefined, { parent: true });
  words.add(describedSchema, fieldWords);
  return describedSchema as Schema;
}

export const wordsOf = (schema: z.core.$ZodType): FieldWords | undefined => words.get(schema);

/** The schema as JSON Schema, where the words for a field are keywords beside its own. */
export const withWords = (schema: z.ZodType, override?: z.core.ToJSONSchemaParams['override']) =>
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    metadata: words,
    ...(override && { override }),
  });
