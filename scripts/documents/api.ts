import type * as z from 'zod';
import { type Contract, errorsOf } from '../../shared/contracts/base/contract.ts';
import { ERROR_STATUS } from '../../shared/contracts/base/errors.ts';
import { contracts } from '../../shared/contracts/registry.ts';
import { declarationOf, descriptionOf } from './descriptions.ts';
import { nameOf, OBJECTS } from './objects.ts';
import { boundsOf, requiredOf, typeOf } from './schemaWords.ts';
import { table } from './table.ts';

const HEAD = `# API

Every endpoint, written by \`npm run docs\` from the contracts in \`shared/contracts/\`, which validate the requests and
the answers. What they have in common, such as credentials, pages and the error envelope, is in [requests.md](requests.md).
In OpenAPI 3.1: [openapi.json](../clients/pages/openapi.json), which the service also serves as \`/openapi.json\`, and
as a page under \`/docs\`.
`;

const NAMED: ReadonlyMap<z.core.$ZodType, string> = new Map(
  Object.entries(OBJECTS).map(([constant, schema]) => [schema, nameOf(constant)]),
);

const endpoints = contracts.filter(({ path }) => path !== '$default');

const titleOf = ({ method, path }: Contract): string => `${method} ${path}`;
/** As GitHub makes it of a heading. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9 _-]/g, '')
    .replaceAll(' ', '-');

export function apiDocument(): string {
  const parts = [
    HEAD,
    '## Endpoints\n',
    `${endpointTable()}\n`,
    ...endpoints.map(endpointSection),
    '## Objects\n',
    ...Object.entries(OBJECTS).map(([constant, schema]) => objectSection(constant, schema)),
  ];
  return parts.join('\n');
}

function endpointTable(): string {
  const rows = endpoints.map((contract) => {
    const title = titleOf(contract);
    return [`[\`${title}\`](#${anchorOf(title)})`, contract.summary, credentialOf(contract)];
  });
  return table([['Endpoint', 'Purpose', 'Credential'], ...rows]);
}

const credentialOf = ({ access, scope = 'full' }: Contract): string =>
  access === 'public' ? 'none' : `scope \`${scope}\``;

function endpointSection(contract: Contract): string {
  const { params, headers, query, body, example } = contract;
  const sent = [
    ...rowsOf(contract, params, 'path'),
    ...rowsOf(contract, headers, 'header'),
    ...rowsOf(contract, query, 'query'),
  ];
  const parts = [
    `### \`${titleOf(contract)}\`\n`,
    `${contract.summary}. Credential: ${credentialOf(contract)}.\n`,
    ...(sent.length === 0 ? [] : [`${table([['Parameter', 'In', 'Type', 'Required', 'Notes'], ...sent])}\n`]),
    ...(body === undefined ? [] : [bodyOf(contract, body)]),
    ...(example === undefined ? [] : [`\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\`\n`]),
    ...Object.entries(contract.responses).map(([status, schema]) => responseOf(contract, status, schema)),
    `Errors: ${errorsOf(contract)
      .map((code) => `\`${code}\` (${ERROR_STATUS[code]})`)
      .join(', ')}.\n`,
  ];
  return parts.filter((part) => part !== 'Errors: .\n').join('\n');
}

const shapeOf = (schema: z.core.$ZodType | undefined): [string, z.core.$ZodType][] =>
  Object.entries((schema as Partial<z.ZodObject> | undefined)?.shape ?? {});

const sentence = (text: string): string => (text === '' || /[.:]$/.test(text) ? text : `${text}.`);
const capital = (text: string): string => text.replace(/^[a-z]/, (letter) => letter.toUpperCase());

/** A row for each field: what it is for, as the contract's comment says it, and its bounds. */
const rowsOf = (contract: Contract, schema: z.core.$ZodType | undefined, ...place: string[]): string[][] =>
  shapeOf(schema).map(([name, field]) => [
    `\`${name}\``,
    ...place,
    typeOf(field, NAMED),
    requiredOf(field),
    [descriptionOf(declarationOf(contract), name), capital(boundsOf(field))].map(sentence).join(' ').trim(),
  ]);

function bodyOf(contract: Contract, body: z.core.$ZodType): string {
  const title = contract.bodyIsOptional ? 'Body, which may be left out:' : 'Body:';
  return `${title}\n\n${table([['Field', 'Type', 'Required', 'Notes'], ...rowsOf(contract, body)])}\n`;
}

function responseOf({ isPage, ...contract }: Contract, status: string, schema: z.ZodType | null): string {
  if (schema === null) return `Answer ${status}: no body.\n`;
  if (isPage) return `Answer ${status}: a page in HTML.\n`;
  const inline = typeOf(schema, NAMED);
  if (inline.length <= INLINE_MAX) return `Answer ${status}: ${inline}.\n`;
  return `Answer ${status}:\n\n${answerTable(schema, declarationOf(contract))}\n`;
}

const INLINE_MAX = 200;

function answerTable(schema: z.core.$ZodType, declares: RegExp): string {
  const rows = shapeOf(schema).map(([name, field]) => [
    `\`${name}\``,
    typeOf(field, NAMED),
    sentence(descriptionOf(declares, name)),
  ]);
  return table([['Field', 'Type', 'Notes'], ...rows]);
}

function objectSection(constant: string, schema: z.core.$ZodType): string {
  const others = new Map([...NAMED].filter(([named]) => named !== schema));
  const isObject = shapeOf(schema).length > 0;
  const declares = new RegExp(`^(export )?const ${constant} =`, 'm');
  const contents = isObject ? answerTable(schema, declares) : `One of: ${typeOf(schema, others)}.`;
  return `### ${nameOf(constant)}\n\n${contents}\n`;
}
