import type { Contract } from '../../shared/contracts/base/contract.ts';
import { contracts } from '../../shared/contracts/registry.ts';
import { pathOf } from './openapi/contractParts.ts';
import type { Answer, JsonSchema, OpenApiDocument, Operation, Parameter } from './openapi/types.ts';

/** What a client sends and gets, as the printers of all clients read it. */
export interface ClientOperation {
  /** `runs.create`: resource and verb. */
  readonly id: string;
  readonly summary: string;
  readonly method: string;
  /** `:` marks a parameter. */
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
  readonly operations: readonly ClientOperation[];
  /** What the operations refer to, by name and sorted by it. */
  readonly schemas: ReadonlyMap<string, JsonSchema>;
}

/** Pages and sessions are for browsers, the webhook is the payment provider's, and public keys are read by other tools. */
const isForClients = ({ path, isPage, forBrowsers, rawBody }: Contract): boolean =>
  path !== '$default' &&
  !path.startsWith('/.well-known/') &&
  isPage !== true &&
  forBrowsers !== true &&
  rawBody !== true;

/** Every operation that clients have, as the document describes it. The contracts say which these are. */
export function describeOperations(document: OpenApiDocument): Described {
  const operations = contracts.filter(isForClients).map((contract) => {
    const described = document.paths[pathOf(contract)]?.[contract.method.toLowerCase()];
    if (described === undefined) throw new Error(`The OpenAPI document lacks ${contract.id}.`);
    return clientOperation(contract, described);
  });
  const schemas = new Map<string, JsonSchema>();
  for (const { query, body, answers } of operations) collect([query, body, answers], document, schemas);
  return { operations, schemas: new Map([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))) };
}

function clientOperation(contract: Contract, described: Operation): ClientOperation {
  const { operationId: id, summary, security, parameters = [], requestBody, responses } = described;
  const { method, path } = contract;
  const successes = Object.entries(responses).filter(([, answer]) => answer['x-error-codes'] === undefined);
  return {
    id,
    summary,
    method,
    path,
    parameters: parameters.filter(isIn('path')).map(({ name }) => name),
    query: queryOf(parameters.filter(isIn('query'))),
    body: schemaIn(requestBody) ?? undefined,
    bodyIsOptional: requestBody?.required === false,
    answers: successes.map(([, answer]) => schemaIn(answer)),
    otherStatuses: successes.map(([status]) => Number(status)).filter((status) => status >= 300),
    takesCredential: security.length > 0,
    takesIdempotencyKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
    // OpenAPI has no word for it.
    gainsByGzip: contract.unpackedBytesMax !== undefined,
  };
}

const isIn =
  (place: Parameter['in']) =>
  (parameter: Parameter): boolean =>
    parameter.in === place;

const schemaIn = (holder: Pick<Answer, 'content'> | undefined): JsonSchema | null =>
  holder?.content?.['application/json']?.schema ?? null;

/** The parameters of a query as the fields of one object. */
function queryOf(parameters: readonly Parameter[]): JsonSchema | undefined {
  if (parameters.length === 0) return undefined;
  const fields = parameters.map(({ name, schema, description }) => [
    name,
    { ...schema, ...(description && { description }) },
  ]);
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  return { type: 'object', properties: Object.fromEntries(fields), required };
}

const COMPONENT = '#/components/schemas/';

export const componentOf = ($ref: string): string => $ref.slice(COMPONENT.length);

/** Adds the components that a part of the document refers to, and what these refer to. */
function collect(part: unknown, document: OpenApiDocument, schemas: Map<string, JsonSchema>): void {
  if (typeof part !== 'object' || part === null) return;
  const { $ref } = part as JsonSchema;
  const name = typeof $ref === 'string' ? componentOf($ref) : undefined;
  if (name === undefined) {
    for (const inner of Object.values(part)) collect(inner, document, schemas);
    return;
  }
  const schema = document.components.schemas[name];
  if (schema === undefined || schemas.has(name)) return;
  schemas.set(name, schema);
  collect(schema, document, schemas);
}
