import { isJsonObject } from '../../kit/json.ts';
import { clip } from '../../kit/text.ts';
import type { Version } from '../drafts.ts';
import type { Fault } from '../faults.ts';
import { isKnown } from '../interpreter/known.ts';
import type { Placed, Schema } from '../interpreter/resources.ts';
import { isEnforceable } from '../kinds.ts';
import type { SchemaPath } from '../pointers.ts';
import { idleFaults } from './idle.ts';
import { isChecking, isKnownWord, suggestedKeyword } from './keywords.ts';

/** Finds words that stand in place of a keyword and are none in any draft: ajv would not check what they demand. */
export class Mistakes {
  readonly #version: Version;
  /** What references lead to, and all that this lies in: there an unknown word holds schemas on purpose. */
  readonly #referenced = new Set<string>();

  constructor(schemas: readonly Placed[], version: Version) {
    this.#version = version;
    for (const { path, isEntry } of schemas) {
      if (!isEntry) continue;
      for (let length = 1; length <= path.length; length++)
        this.#referenced.add(keyOf(path.slice(0, length)));
    }
  }

  of({ schema, path }: Pick<Placed, 'schema' | 'path'>): readonly Fault[] {
    const keywords = Object.keys(schema);
    const words = keywords.filter((word) => !isKnownWord(word));
    const misspelt = words.flatMap((word) => misspelling(word, schema[word]));
    if (misspelt.length > 0) return misspelt;
    const idle = [...idleFaults(schema)];
    if (idle.length > 0) return idle;
    const checking = keywords.filter((word) => isChecking(word) && isKnown(word, this.#version));
    const effective = checking.filter((word) => isEnforceable(word, schema[word], this.#version));
    const open = words.filter((word) => !this.#referenced.has(keyOf([...path, word])));
    const wrapping = effective.every((word) => SHALLOW.has(word))
      ? open.flatMap((word) => wrapper(word, schema[word], { isBare: effective.length === 0 }))
      : [];
    if (wrapping.length > 0 || path.length > 0 || checking.length > 0) return wrapping;
    return emptiness(schema, words);
  }
}

const keyOf = (path: SchemaPath): string => JSON.stringify(path.map(String));

function misspelling(word: string, value: unknown): readonly Fault[] {
  const suggestion = /^schema$/i.test(word) && isDraftName(value) ? '`$schema`' : suggestedKeyword(word);
  if (suggestion === null) return [];
  return [[word, `is no keyword of JSON Schema and would check nothing: write ${suggestion}${OR_OWN}`]];
}

const OR_OWN = ', or begin a word of your own with x-';

const isDraftName = (value: unknown): boolean =>
  typeof value === 'string' && value.includes('json-schema.org');

/** Keywords of an object around properties, and of a list around items: they say nothing of what is in it. */
const SHALLOW = new Set([
  'type',
  'required',
  'additionalProperties',
  'minProperties',
  'maxProperties',
  'minItems',
  'maxItems',
  'uniqueItems',
]);
/** Holds data of the kind that the schema is about. */
const EXAMPLE = 'example';

/** A schema in a place where none is looked for. */
function wrapper(word: string, value: unknown, { isBare }: { readonly isBare: boolean }): readonly Fault[] {
  const path = word === EXAMPLE ? null : pathToSchema(value);
  if (path === null) return [];
  if (!isBare) {
    return [
      [
        word,
        `is no keyword of JSON Schema, and the schema in it would check nothing: write it below \`properties\` or another keyword${OR_OWN}`,
      ],
    ];
  }
  const place = clip([word, ...path].join('.'), 100);
  return [
    [
      word,
      `is no keyword of JSON Schema, and any JSON would pass: send the content of \`${place}\` in place of the object around it`,
    ],
  ];
}

/** Where in a value the first schema stands; null if there is none. Values nest as deep as a schema may. */
function pathToSchema(value: unknown): SchemaPath | null {
  if (isSchemaLike(value)) return [];
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, child] of Object.entries(value)) {
    const path = pathToSchema(child);
    if (path !== null) return [key, ...path];
  }
  return null;
}

const TYPE = /^(?:null|boolean|object|array|number|integer|string)$/i;
const isType = (value: unknown): boolean => typeof value === 'string' && TYPE.test(value);
const areSchemas = (values: readonly unknown[]): boolean => values.length > 0 && values.every(isJsonObject);

function isSchemaLike(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { type, properties, $ref, $defs, definitions, anyOf, oneOf, allOf } = value;
  const lists = [anyOf, oneOf, allOf];
  return (
    isType(type) ||
    (Array.isArray(type) && type.length > 0 && type.every(isType)) ||
    [properties, $defs, definitions].some((map) => isJsonObject(map) && areSchemas(Object.values(map))) ||
    typeof $ref === 'string' ||
    lists.some((list) => Array.isArray(list) && areSchemas(list))
  );
}

/** Of the whole schema, where nothing in it can fail. */
function emptiness({ $defs, definitions }: Schema, words: readonly string[]): readonly Fault[] {
  const [word] = words;
  const nothing = 'so that any JSON would pass';
  if (word !== undefined) {
    return [
      [
        word,
        `is no keyword of JSON Schema, and nothing beside it checks anything, ${nothing}: write \`properties\` around the names of properties, or send {} if any JSON is good`,
      ],
    ];
  }
  const name = [$defs, definitions].flatMap((map) => (isJsonObject(map) ? Object.keys(map) : []))[0];
  if (name === undefined) return [];
  const keyword = isJsonObject($defs) && Object.hasOwn($defs, name) ? '$defs' : 'definitions';
  return [
    [
      keyword,
      `is all that the schema has, ${nothing}: say which one applies, such as "$ref": "#/${keyword}/${clip(name, 60)}"`,
    ],
  ];
}
