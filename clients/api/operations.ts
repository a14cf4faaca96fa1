import * as z from 'zod';
import { declarationOf, descriptionOf } from '../../scripts/documents/descriptions.ts';
import type { Contract } from '../../shared/contracts/base/contract.ts';
import { contracts } from '../../shared/contracts/registry.ts';
import { createConverter, type JsonSchema } from './jsonSchema.ts';
import { declarationOfNamed, NAMED } from './named.ts';

/** What a client sends and gets, as the printers of all clients read it. */
export interface Operation {
  /** `runs/create`: resource and verb. */
  readonly id: string;
  readonly summary: string;
  readonly method: string;
  readonly path: string;
  /** The names in the path, in order. */
  readonly parameters: readonly string[];
  readonly query: JsonSchema | undefined;
  readonly body: JsonSchema | undefined;
  readonly bodyIsOptional: boolean;
  /** Those of all successes; null where an answer has no body. */
  readonly answers: readonly (JsonSchema | null)[];
  /** Successes that are no 2xx. */
  readonly otherStatuses: readonly number[];
  readonly takesCredential: boolean;
  readonly takesIdempotencyKey: boolean;
  /** Bodies may be larger gzipped than as they are. */
  readonly gainsByGzip: boolean;
}

export interface Described {
  readonly operations: readonly Operation[];
  /** What the operations refer to by `#/$defs/<name>`, sorted by name. */
  readonly schemas: ReadonlyMap<string, JsonSchema>;
}

/** Pages are for browsers, and the webhook is the payment provider's. */
const isForClients = ({ path, isPage, rawBody }: Contract): boolean =>
  path !== '$default' && isPage !== true && rawBody !== true;

/** Every operation of the service that clients have. */
export function describeOperations(): Described {
  const { convert, definitions } = createConverter(NAMED);

  const describe = (contract: Contract): Operation => {
    const { id, summary, method, path, access, query, body, headers, responses } = contract;
    const said = (schema: JsonSchema) => withDescriptions(schema, declarationOf(contract));
    const sent = shapeOf(headers);
    return {
      id,
      summary,
      method,
      path,
      parameters: [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name),
      query: query && said(asSent(convert(query, 'output'), convert(query, 'input'))),
      body: body && said(convert(body, 'input')),
      bodyIsOptional: contract.bodyIsOptional === true,
      answers: Object.values(responses).map((schema) => schema && convert(schema, 'output')),
      otherStatuses: Object.keys(responses)
        .map(Number)
        .filter((status) => status >= 300),
      takesCredential: access === 'api_key' || 'authorization' in sent,
      takesIdempotencyKey: 'idempotency-key' in sent,
      gainsByGzip: contract.unpackedBytesMax !== undefined,
    };
  };

  const operations = contracts.filter(isForClients).map(describe);
  const schemas = [...definitions]
    .map(([name, schema]) => [name, withDescriptions(schema, declarationOfNamed(name))] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return { operations, schemas: new Map(schemas) };
}

const shapeOf = (schema: z.ZodType | undefined): object =>
  schema instanceof z.ZodObject ? schema.shape : {};

/** A query is text on the wire: the types are those that it is read as, and what is required that which is sent. */
const asSent = (read: JsonSchema, { required = [] }: JsonSchema): JsonSchema => ({ ...read, required });

/** With what the comments on the contracts' fields say. */
function withDescriptions(schema: JsonSchema, declares: RegExp): JsonSchema {
  if (schema.properties === undefined) return schema;
  const properties = Object.entries(schema.properties).map(([name, property]) => {
    const description = descriptionOf(declares, name);
    return [name, description === '' ? property : { ...property, description }];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}
