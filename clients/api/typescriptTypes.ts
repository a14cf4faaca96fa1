import type { JsonSchema } from './openapi/types.ts';
import { componentOf } from './operations.ts';

/** A value that a caller sends may be readonly, and a field that may be left out may be undefined. */
export type Direction = 'sent' | 'answered';

const indented = (text: string): string => text.replaceAll('\n', '\n  ');

/** The comment above a declaration, or nothing. */
export const docOf = (text: string | undefined): string =>
  text === undefined ? '' : `/** ${text.replaceAll('*/', '* /')}${/[.:)]$/.test(text) ? '' : '.'} */\n`;

/** The type of the values that fit a schema, as TypeScript writes it; of several lines for an object. */
export function typescriptOf(schema: JsonSchema, direction: Direction): string {
  const { $ref, type, items } = schema;
  if ($ref !== undefined) return componentOf($ref);
  if (schema.anyOf !== undefined) {
    return unionOf(schema.anyOf.map((option) => typescriptOf(option, direction)));
  }
  if ('const' in schema) return literal(schema.const);
  if (schema.enum !== undefined) return unionOf(schema.enum.map(literal));
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
    case 'number':
      return type;
    case 'integer':
      return 'number';
    case 'array':
      return arrayOf(typescriptOf(items ?? {}, direction), direction);
    case 'object':
      return objectOf(schema, direction);
    case undefined:
      return 'unknown';
    default:
      throw new Error(`Say in clients/api/typescriptTypes.ts how a schema of type ${type} is written`);
  }
}

/** In quotes as the formatter sets them. */
const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : JSON.stringify(value);

const unionOf = (types: readonly string[]): string => [...new Set(types)].join(' | ');

function arrayOf(item: string, direction: Direction): string {
  const isUnion = item.includes(' | ') && !item.startsWith('{');
  const element = isUnion ? `(${item})` : item;
  return `${direction === 'sent' ? 'readonly ' : ''}${element}[]`;
}

function objectOf(schema: JsonSchema, direction: Direction): string {
  const { properties, required = [], additionalProperties } = schema;
  if (properties === undefined) {
    const values = typeof additionalProperties === 'object' ? additionalProperties : {};
    return `Readonly<Record<string, ${typescriptOf(values, direction)}>>`;
  }
  const fields = Object.entries(properties).map(([name, property]) => {
    const isRequired = required.includes(name);
    const type = typescriptOf(property, direction);
    const mayBeUndefined = !isRequired && direction === 'sent' ? ' | undefined' : '';
    return `${docOf(property.description)}${keyOf(name)}${isRequired ? '' : '?'}: ${type}${mayBeUndefined};`;
  });
  return `{\n  ${indented(fields.join('\n'))}\n}`;
}

const keyOf = (name: string): string => (/^[a-z_]\w*$/i.test(name) ? name : literal(name));
