import { descriptionOf, nestedDescriptionOf } from './contractComments.ts';
import type { JsonSchema } from './types.ts';

/** With what the contracts' comments say about each field, down to where another name begins. */
export const described = (schema: JsonSchema, declares: RegExp): JsonSchema =>
  describedBy(schema, (field) => descriptionOf(declares, field), declares);

/** What the comment on a field says. */
type Comment = (field: string) => string;

function describedBy(schema: JsonSchema, comment: Comment, declares: RegExp): JsonSchema {
  const { properties, items, anyOf } = schema;
  const inside = (part: JsonSchema): JsonSchema => describedBy(part, nestedComment(part, declares), declares);
  const field = ([name, part]: [string, JsonSchema]) => [name, withComment(inside(part), comment(name))];
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(field)) }),
    ...(items && { items: inside(items) }),
    ...(anyOf && { anyOf: anyOf.map(inside) }),
  };
}

const nestedComment = ({ properties = {} }: JsonSchema, declares: RegExp): Comment => {
  const fields = Object.keys(properties);
  return (field) => nestedDescriptionOf(fields, field) ?? descriptionOf(declares, field);
};

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
const sentence = (text: string): string => `${capital(text)}${/[.:]$/.test(text) ? '' : '.'}`;

/** The comment first; then the bounds that it does not say itself. */
function withComment(schema: JsonSchema, comment: string): JsonSchema {
  const bounds = schema.description ?? '';
  const isSaid = comment.toLowerCase().includes(bounds.replace(/ of JSON\.?$/, '').toLowerCase());
  const texts = [comment, isSaid ? '' : bounds].filter((text) => text !== '');
  return texts.length === 0 ? schema : { ...schema, description: texts.map(sentence).join(' ') };
}
