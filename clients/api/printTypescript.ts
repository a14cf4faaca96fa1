import type { JsonSchema } from './openapi/types.ts';
import type { ClientOperation, Described } from './operations.ts';
import { docOf, typescriptOf } from './typescriptTypes.ts';

const HEAD = '// Written by `npm run clients` from the contracts in shared/contracts.\n';

/** What a client makes of an answer's body: all of it, its field `data`, a list's pages, or nothing. */
type Answers = 'whole' | 'data' | 'list' | 'nothing';

/** Their words in the table. */
const TRAITS: Readonly<Record<Answers, readonly string[]>> = {
  whole: ['whole'],
  list: ['list'],
  data: [],
  nothing: [],
};

function answersOf({ answers }: ClientOperation): Answers {
  const [first = null] = answers;
  if (first === null) return 'nothing';
  const fields = Object.keys(first.properties ?? {});
  if (fields.includes('data') && fields.includes('pagination')) return 'list';
  return fields.join() === 'data' ? 'data' : 'whole';
}

const capital = (text: string): string => text.replace(/^[a-z]/, (letter) => letter.toUpperCase());

/** `RunsCreate` of `runs.create`: how the names of its types begin. */
const stemOf = ({ id }: ClientOperation): string => id.split('.').map(capital).join('');

const isTypeOfOneLine = (type: string): boolean => !type.includes('\n');

/** The type of what a client gets; of a list, that of an item. */
function answeredType(operation: ClientOperation): string {
  const kind = answersOf(operation);
  if (kind === 'nothing') return 'void';
  const types = operation.answers.map((answer) => {
    const data = kind === 'whole' ? answer : answer?.properties?.data;
    return typescriptOf((kind === 'list' ? data?.items : data) ?? {}, 'answered');
  });
  return [...new Set(types)].join(' | ');
}

/** The types of an operation that are too long to stand in its signature, by name. */
function ownTypes(operation: ClientOperation): [name: string, type: string][] {
  const { query, body } = operation;
  const sent = (suffix: string, schema: JsonSchema | undefined): [string, string][] =>
    schema === undefined ? [] : [[`${stemOf(operation)}${suffix}`, typescriptOf(schema, 'sent')]];
  const answered = answeredType(operation);
  return [
    ...sent('Query', query),
    ...sent('Body', body),
    ...(isTypeOfOneLine(answered) ? [] : ([[`${stemOf(operation)}Answer`, answered]] as [string, string][])),
  ];
}

/** Only its last line begins with its closing brace. */
const isObject = (type: string): boolean =>
  type.startsWith('{') && /^\}/m.exec(type)?.index === type.length - 1;

const declared = ([name, type]: readonly [string, string]): string =>
  isObject(type) ? `export interface ${name} ${type}\n` : `export type ${name} = ${type};\n`;

/** `types.ts`: the objects of the service, then what operations send and answer. */
export function printTypes({ schemas, operations }: Described): string {
  const named = [...schemas].map(([name, schema]) =>
    declared([name, typescriptOf(schema, name === 'OutputItem' ? 'sent' : 'answered')]),
  );
  return [HEAD, ...named, ...operations.flatMap((operation) => ownTypes(operation).map(declared))].join('\n');
}

/** `operations.ts`: how each operation is sent, and the version of the client. */
export function printOperations({ operations }: Described, version: string): string {
  const rowOf = (operation: ClientOperation): string => {
    const { id, method, path, otherStatuses } = operation;
    const words = [
      method,
      path.replaceAll(/:\w+/g, ':'),
      ...TRAITS[answersOf(operation)],
      ...(operation.query && answersOf(operation) !== 'list' ? ['query'] : []),
      ...(method.startsWith('P') && !operation.body ? ['bare'] : []),
      ...(operation.takesCredential ? [] : ['public']),
      ...(operation.takesIdempotencyKey ? ['key'] : []),
      ...(operation.gainsByGzip ? ['gzip'] : []),
      ...otherStatuses,
    ];
    return `    ${id.split('.')[1]}: '${words.join(' ')}',\n`;
  };
  const resources = [...byResource(operations)].map(
    ([resource, ofResource]) => `  ${resource}: {\n${ofResource.map(rowOf).join('')}  },\n`,
  );
  return [
    HEAD,
    `export const VERSION = '${version}';\n`,
    '/** Method, path, and what else there is to know: see `Operation`. */',
    `export const OPERATIONS = {\n${resources.join('')}} as const;\n`,
  ].join('\n');
}

const byResource = (operations: readonly ClientOperation[]): Map<string, ClientOperation[]> =>
  Map.groupBy(operations, ({ id }) => id.split('.')[0] ?? '');

function methodOf(operation: ClientOperation): string {
  const { summary, method, path, parameters, query, body, bodyIsOptional } = operation;
  const stem = stemOf(operation);
  const [, answer] = ownTypes(operation).find(([name]) => name.endsWith('Answer')) ?? [];
  const type = answer === undefined ? answeredType(operation) : `types.${stem}Answer`;
  const isList = answersOf(operation) === 'list';
  const taken = [
    ...parameters.map((name) => `${name}: string`),
    ...(query ? [`query?: types.${stem}Query`] : []),
    ...(body ? [`body${bodyIsOptional ? '?' : ''}: types.${stem}Body`] : []),
    `options?: ${operation.takesIdempotencyKey ? 'KeyedOptions' : 'CallOptions'}`,
  ];
  const answered = answer === undefined ? qualified(type) : type;
  return [
    docOf(`${summary}. \`${method} ${path}\``),
    `${operation.id.split('.')[1]}(${taken.join(', ')}): `,
    `${isList ? `List<${answered}>` : `Promise<${answered}>`};`,
  ].join('');
}

const BUILT_IN = /^(void|string|number|boolean|null|unknown)/;

const qualified = (type: string): string =>
  type
    .split(' | ')
    .map((part) => (BUILT_IN.test(part) ? part : `types.${part}`))
    .join(' | ');

/** `resources.ts`: a method for each operation, by resource. */
export function printResources({ operations }: Described): string {
  const resources = [...byResource(operations)].map(([resource, ofResource]) => {
    const methods = ofResource.map((operation) => methodOf(operation).replaceAll(/^/gm, '    '));
    return `  readonly ${resource}: {\n${methods.join('\n')}\n  };\n`;
  });
  return [
    HEAD,
    "import type { List } from '../lists.ts';\nimport type { CallOptions, KeyedOptions } from '../transport/operation.ts';\nimport type * as types from './types.ts';\n",
    `export interface Resources {\n${resources.join('')}}\n`,
  ].join('\n');
}
