import { isJsonObject } from '../compare/json.ts';
import { quote } from '../engine/text.ts';
import { fail, type TracePath } from './trace.ts';

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsAt(value: unknown, path: TracePath): Fields {
  return isJsonObject(value) ? value : fail(path, 'must be an object');
}

export function listAt(value: unknown, path: TracePath): readonly unknown[] {
  return Array.isArray(value) ? value : fail(path, 'must be a list');
}

export function textAt(value: unknown, path: TracePath): string {
  return typeof value === 'string' ? value : fail(path, 'must be a text');
}

/** Refused where what is needed to read a call is not there. */
export function given(fields: Fields, name: string, path: TracePath): unknown {
  return fields[name] ?? fail([...path, name], 'is missing');
}

export const shown = (value: unknown): string => (typeof value === 'string' ? quote(value) : 'none');

/** What a reader does not know may hold calls. Fields without a list or an object in them can't. */
export function refuseUnknown(fields: Fields, known: readonly string[], path: TracePath): void {
  for (const name in fields) {
    const value = fields[name];
    if (typeof value !== 'object' || value === null || known.includes(name)) continue;
    if (Array.isArray(value) && value.length === 0) continue;
    fail([...path, name], 'is not known here, and may hold calls: leave it out, or send `trace`');
  }
}

/** The text of a message's content, which is one, none, or parts; each part's text is the field that its type names. */
export function textOfParts(
  content: unknown,
  textFields: Readonly<Record<string, string | null>>,
  path: TracePath,
): string {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  let text = '';
  for (const [at, value] of listAt(content, [...path, 'content']).entries()) {
    const part = fieldsAt(value, [...path, 'content', at]);
    const name =
      typeof part.type === 'string' && Object.hasOwn(textFields, part.type)
        ? textFields[part.type]
        : undefined;
    if (name === undefined)
      fail([...path, 'content', at, 'type'], `is ${shown(part.type)}, which is not known here`);
    if (name) text += textAt(part[name], [...path, 'content', at, name]);
  }
  return text;
}
