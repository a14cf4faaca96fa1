import type { Fields } from '../imports/types.ts';
import { fieldAt } from '../table/rows.ts';

const VARIABLE = /\{\{\s*([\w.]{1,200})\s*\}\}/g;
const BEYOND = /\{\{|\{%/;

/** Whether a text is the answer of the model, and nothing else. */
export const isAnswer = (text: unknown): boolean =>
  typeof text === 'string' && /^\s*\{\{\s*sample\.output_text\s*\}\}\s*$/.test(text);

/** The fields of an item that templates name, also those that are not understood. */
export const fieldsIn = (templates: unknown): string[] =>
  [...(JSON.stringify(templates) ?? '').matchAll(/\bitem\.(\w+)/g)].map(([, name = '']) => name);

/** A text with the fields of an item. `answer` stands for what the model says; undefined where it may not be named. */
export function rendered(
  text: string,
  item: Fields,
  answer?: string,
): { readonly text: string } | { readonly why: string } {
  let why: string | undefined;
  const complete = text.replace(VARIABLE, (_, name: string) => {
    if (name === 'sample.output_text' && answer !== undefined) return answer;
    const value = name.startsWith('item.') ? fieldAt(item, name.slice('item.'.length)) : undefined;
    if (value === undefined) why ??= `names ${name}, which is not there`;
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  });
  if (why !== undefined) return { why };
  return BEYOND.test(text.replace(VARIABLE, ''))
    ? { why: 'uses a template beyond {{item.name}}' }
    : { text: complete };
}
