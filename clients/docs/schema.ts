import type { JsonSchema } from '../api/openapi/types.ts';
import { type Html, html } from './html.ts';
import { inline } from './markdown.ts';

const join = (parts: readonly Html[], between: string): Html[] =>
  parts.flatMap((part, index) => (index === 0 ? [part] : [html` ${between} `, part]));

const literals = (values: readonly unknown[]): Html[] =>
  join(
    values.map((value) => html`<code>${JSON.stringify(value)}</code>`),
    '|',
  );

const FORMATS: Readonly<Record<string, string>> = { uuid: 'UUID', 'date-time': 'timestamp', date: 'date' };

const nameOf = ($ref: string): string => $ref.split('/').at(-1) ?? '';

/** What a schema takes, in words. The fields of an object are rows of their own: see `fieldTable`. */
function typeOf(schema: JsonSchema): Html {
  const { $ref, anyOf, type, format = '', items } = schema;
  if ($ref !== undefined) return html`<a href="#schema-${nameOf($ref)}">${nameOf($ref)}</a>`;
  if (anyOf !== undefined) return html`${join(anyOf.map(typeOf), 'or')}`;
  if (schema.enum !== undefined) return html`${literals(schema.enum)}`;
  if (schema.const !== undefined) return html`${literals([schema.const])}`;
  if (items !== undefined) return html`array of ${typeOf(items)}`;
  if (typeof schema.additionalProperties === 'object')
    return html`object of ${typeOf(schema.additionalProperties)}`;
  return html`${FORMATS[format] ?? type ?? 'any JSON'}`;
}

const bound = (words: string, value: number | undefined): string[] =>
  value === undefined ? [] : [`${words} ${value.toLocaleString('en')}`];

function boundsOf(schema: JsonSchema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, default: fallback } = schema;
  const bounds = [
    ...bound('at least', minimum),
    ...bound('at most', maximum),
    ...bound('characters: at least', minLength === 1 ? undefined : minLength),
    ...bound('characters: at most', maxLength),
    ...bound('entries: at least', minItems),
    ...bound('entries: at most', maxItems),
    ...(fallback === undefined ? [] : [`default \`${JSON.stringify(fallback)}\``]),
  ].join('; ');
  return bounds === '' ? '' : `${bounds.charAt(0).toUpperCase()}${bounds.slice(1)}.`;
}

interface Row {
  /** `verdict.flips.to`, `scores[].case` */
  readonly field: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** The rows of an object's fields, and of those inside them, down to where another schema begins. */
function rowsIn(schema: JsonSchema, prefix = ''): Row[] {
  const { properties = {}, required = [], items, anyOf = [] } = schema;
  if (items !== undefined) return rowsIn(items, `${prefix}[]`);
  const rows = Object.entries(properties).flatMap(([name, part]) => {
    const field = prefix === '' ? name : `${prefix}.${name}`;
    return [{ field, schema: part, isRequired: required.includes(name) }, ...rowsIn(part, field)];
  });
  return [...rows, ...anyOf.flatMap((one) => rowsIn(one, prefix))];
}

const row = ({ field, schema, isRequired }: Row): Html => html`<tr>
<th scope="row"><code>${field}</code></th>
<td>${typeOf(schema)}</td>
<td>${isRequired ? 'yes' : 'no'}</td>
<td>${inline([schema.description ?? '', boundsOf(schema)].join(' ').trim())}</td>
</tr>
`;

/** A table of fields, or the type alone where there are none. `presence` heads the column that says yes or no. */
export function schemaTable(schema: JsonSchema, presence: 'Required' | 'Always'): Html {
  const rows = rowsIn(schema);
  if (rows.length === 0) return html`<p>${typeOf(schema)}</p>\n`;
  return html`<table>
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">${presence}</th><th scope="col">Notes</th></tr></thead>
<tbody>
${rows.map(row)}</tbody>
</table>
`;
}

/** The same for parameters, whose column of types names their place. */
export const parameterTable = (
  parameters: readonly {
    name: string;
    in: string;
    required: boolean;
    description?: string;
    schema: JsonSchema;
  }[],
): Html => html`<table>
<thead><tr><th scope="col">Parameter</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">Required</th><th scope="col">Notes</th></tr></thead>
<tbody>
${parameters.map(
  ({ name, in: place, required, description = '', schema }) => html`<tr>
<th scope="row"><code>${name}</code></th>
<td>${place}</td>
<td>${typeOf(schema)}</td>
<td>${required ? 'yes' : 'no'}</td>
<td>${inline([description, boundsOf(schema)].join(' ').trim())}</td>
</tr>
`,
)}</tbody>
</table>
`;
