import type { Answer, Operation } from '../api/openapi/types.ts';
import { type Html, html } from './html.ts';
import { inline } from './markdown.ts';
import { parameterTable, schemaTable } from './schema.ts';

const OR = new Intl.ListFormat('en', { type: 'disjunction' });

function credentialFor(scopes: readonly string[]): string {
  if (scopes.length === 0) return 'No credential is needed.';
  return `It needs a credential of scope ${OR.format(scopes.map((scope) => `\`${scope}\``))}.`;
}

/** One operation. Its anchor is its id, which is also what clients call it. */
export function operationSection(method: string, path: string, operation: Operation): Html {
  const { operationId, summary, parameters = [], requestBody, responses } = operation;
  const body = requestBody?.content['application/json'];
  const needed = requestBody?.required === false ? 'Body, which may be left out' : 'Body';
  return html`<section class="operation" aria-labelledby="${operationId}">
<h3 id="${operationId}"><a href="#${operationId}"><span class="method">${method.toUpperCase()}</span> <code>${path}</code></a></h3>
<p>${inline(summary)}. ${inline(credentialFor(operation['x-scopes']))} <code class="id">${operationId}</code></p>
${parameters.length > 0 ? html`<h4>Parameters</h4>\n${parameterTable(parameters)}` : undefined}
${body && html`<h4>${needed}</h4>\n${requestBody.description && html`<p>${requestBody.description}</p>`}${schemaTable(body.schema, 'Required')}`}
${samples(operation)}
<h4>Answers</h4>
${Object.entries(responses)
  .filter(([, answer]) => answer['x-error-codes'] === undefined)
  .map(([status, answer]) => success(status, answer))}
${errors(responses)}
</section>
`;
}

const samples = ({ 'x-codeSamples': shown = [] }: Operation): Html[] =>
  shown.map(
    ({ label, source }) => html`<h4>${label}</h4>
<pre><code>${source}</code></pre>
`,
  );

function success(status: string, { description, content = {} }: Answer): Html {
  const [mediaType] = Object.entries(content);
  return html`<h5>${status}: ${inline(description)}</h5>
${mediaType?.[0] === 'text/html' ? html`<p>A page in HTML.</p>` : mediaType && schemaTable(mediaType[1].schema, 'Always')}
`;
}

function errors(responses: Operation['responses']): Html {
  const items = Object.entries(responses).flatMap(([status, { 'x-error-codes': codes = [] }]) =>
    codes.map((code) => html`<li>${status} <a href="#error-${code}"><code>${code}</code></a></li>\n`),
  );
  return html`<h5>Errors</h5>\n<ul class="errors">\n${items}</ul>`;
}
