import type { OpenApiDocument, Operation } from '../api/openapi/types.ts';
import { framed } from './frame.ts';
import { type Html, html } from './html.ts';
import { anchorOf, headingsIn, inline, prose } from './markdown.ts';
import { operationSection } from './operation.ts';
import { schemaTable } from './schema.ts';

interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

const operationsOf = ({ paths }: OpenApiDocument, tag: string): Placed[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => ({ method, path, operation })),
  );

const tagAnchor = (name: string): string => `tag-${name.toLowerCase().replaceAll(' ', '-')}`;

/** The documentation of the API as one page. */
export function docsPage(document: OpenApiDocument): string {
  const { info, tags } = document;
  const main = html`<h1>${info.title} API <small>${info.version}</small></h1>
<p>What to do with it is in the <a href="/guides">guides</a>.</p>
<p>The same for programs, in OpenAPI 3.1: <a href="/openapi.json">openapi.json</a></p>
<p>The SDK and the command line of this version, as a package for npm: <a href="/client/evalgate.tgz">evalgate.tgz</a></p>
${prose(info.description)}
${tags.map(
  ({ name, description }) => html`<h2 id="${tagAnchor(name)}">${name}</h2>
<p>${inline(description)}</p>
${operationsOf(document, name).map(({ method, path, operation }) => operationSection(method, path, operation))}`,
)}
${schemas(document)}`;
  return framed({ title: `${info.title} API`, contents: contents(document), main });
}

function contents(document: OpenApiDocument): Html {
  const guide = headingsIn(document.info.description).map(
    (title) => html`<li><a href="#${anchorOf(title)}">${title}</a></li>\n`,
  );
  const parts = document.tags.map(
    ({ name }) => html`<h2><a href="#${tagAnchor(name)}">${name}</a></h2>
<ul>
${operationsOf(document, name).map(
  ({ method, path, operation: { operationId, summary } }) =>
    html`<li><a href="#${operationId}">${inline(summary)} <code>${method.toUpperCase()} ${path}</code></a></li>\n`,
)}</ul>
`,
  );
  return html`<h2><a href="#content">Guide</a></h2>
<ul>
${guide}</ul>
${parts}<h2><a href="#schemas">Schemas</a></h2>
`;
}

/** The error's schema names every code; what they mean stands with it, a paragraph each. */
function schemas({ components }: OpenApiDocument): Html {
  const sections = Object.entries(components.schemas).map(
    ([name, schema]) => html`<section aria-labelledby="schema-${name}">
<h3 id="schema-${name}"><a href="#schema-${name}">${name}</a></h3>
${schema.description && meanings(schema.description)}
${schemaTable(schema, 'Always')}</section>
`,
  );
  return html`<h2 id="schemas">Schemas</h2>\n${sections}`;
}

const meanings = (description: string): Html[] =>
  description.split('\n\n').map((meaning) => {
    const [, code = ''] = /^`(\w+)`/.exec(meaning) ?? [];
    return html`<p id="error-${code}">${inline(meaning)}</p>\n`;
  });
