import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import type { BodyOf, Contract, HeadersOf, ParamsOf, QueryOf } from '../contracts/base/contract.ts';
import type { Issue } from '../contracts/base/errors.ts';
import { invalid, notFound } from '../domain/errors.ts';
import { type JsonBody, readJsonBody, readRawBody, refuseLargeBody, refuseRounded } from './body.ts';
import type { UnpackGzip } from './gzip.ts';

export interface ParsedRequest<C extends Contract> {
  /** As it was sent. */
  readonly path: string;
  readonly params: ParamsOf<C>;
  readonly headers: HeadersOf<C>;
  readonly rawHeaders: APIGatewayProxyEventV2['headers'];
  readonly cookies: readonly string[];
  readonly query: QueryOf<C>;
  readonly body: BodyOf<C>;
  readonly rawBody: C['rawBody'] extends true ? Buffer : undefined;
}

/** Path, query and body, validated by the contract. 404 for a path that can't name a resource, otherwise 400. */
export function parseRequest<C extends Contract>(
  contract: C,
  event: APIGatewayProxyEventV2,
  unpack?: UnpackGzip,
): ParsedRequest<C> {
  const params = contract.params?.safeParse(event.pathParameters ?? {});
  if (params?.success === false) throw notFound('resource');
  const headers = contract.headers?.safeParse(event.headers);
  const query = contract.query?.safeParse(event.queryStringParameters ?? {});
  refuseLargeBody(contract, event);
  const sent =
    contract.body && (isLeftOut(contract, event) ? NO_FIELDS : readJsonBody(contract, event, unpack));
  const body = sent && contract.body?.safeParse(sent.value, { error: knownFieldsOf });
  const issues = [
    ...issuesOf(headers),
    ...issuesOf(query),
    ...conditionIssues(contract, sent, event),
    ...issuesOf(body),
    ...misspelt(contract.body, sent?.value),
    ...misspelt(contract.query, event.queryStringParameters),
  ];
  if (issues.length > 0) throw invalid(issues);
  if (sent && contract.body instanceof z.ZodObject) refuseRounded(sent, Object.keys(contract.body.shape));
  return {
    path: event.rawPath,
    params: params?.data,
    headers: headers?.data,
    rawHeaders: event.headers,
    cookies: event.cookies ?? [],
    query: query?.data,
    body: body?.data,
    rawBody: contract.rawBody ? readRawBody(event) : undefined,
  } as unknown as ParsedRequest<C>;
}

const NO_FIELDS: JsonBody = { value: {}, text: '{}', largeIn: [] };

const isLeftOut = ({ bodyIsOptional }: Contract, { body = '' }: APIGatewayProxyEventV2): boolean =>
  bodyIsOptional === true && body === '';

function issuesOf(parsed: z.ZodSafeParseResult<unknown> | undefined): Issue[] {
  if (parsed === undefined || parsed.success) return [];
  return parsed.error.issues.flatMap(fieldIssues);
}

const CONDITION = 'expected_version';

/** Unlike other unknown fields, a condition that was ignored would let a write change what its sender has not seen. */
function conditionIssues(
  { method, body, query }: Contract,
  sent: JsonBody | undefined,
  { queryStringParameters: sentQuery }: APIGatewayProxyEventV2,
): Issue[] {
  const inBody = sent !== undefined && Object.hasOwn(Object(sent.value), CONDITION);
  const inQuery = method !== 'GET' && sentQuery?.[CONDITION] !== undefined;
  const isIgnored = (inBody && !isStrictOrKnows(body)) || (inQuery && !knows(query));
  if (!isIgnored) return [];
  const message =
    'is no condition here, where changes are made whatever the version: leave it out, or push the suite as a definition, which takes it';
  return [{ path: CONDITION, message }];
}

/**
 * A field that is ignored has the default of the intended one, which may be weaker, and a filter that is ignored lists
 * more than its sender asked for.
 */
function misspelt(schema: z.ZodType | undefined, sent: unknown): Issue[] {
  if (!(schema instanceof z.ZodObject) || typeof sent !== 'object' || sent === null) return [];
  const known = Object.keys(schema.shape);
  const unknownNames = Object.keys(sent).filter((name) => !known.includes(name));
  return unknownNames.slice(0, COMPARED_NAMES_MAX).flatMap((path) => {
    const intended = known.find((field) => isNearly(path, field));
    return intended === undefined
      ? []
      : [{ path, message: `is not known here: use ${intended}, or leave it out` }];
  });
}

/** The name, and the name without any one of its letters. */
function spellings(name: string): string[] {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return [plain, ...Array.from(plain, (_, index) => plain.slice(0, index) + plain.slice(index + 1))];
}

/** The same letters, or one letter more, less, other or moved. */
const isNearly = (name: string, known: string): boolean =>
  Math.abs(name.length - known.length) < 4 &&
  known.length > 3 &&
  spellings(name).some((one) => spellings(known).includes(one));

const knows = (schema: Contract['query']): boolean =>
  schema instanceof z.ZodObject && CONDITION in schema.shape;

/** A strict body refuses what it does not know by itself. */
const isStrictOrKnows = (body: Contract['body']): boolean =>
  knows(body) || (body instanceof z.ZodObject && body.def.catchall instanceof z.ZodNever);

const UNKNOWN_FIELDS_MAX = 20;
const COMPARED_NAMES_MAX = 100;
const SHOWN_NAME_LENGTH_MAX = 100;

/** The message of an object that has unknown fields. */
function knownFieldsOf({ code, inst }: z.core.$ZodRawIssue): string | undefined {
  if (code !== 'unrecognized_keys' || !(inst instanceof z.ZodObject)) return undefined;
  return `is not a field here: leave it out, or use one of ${Object.keys(inst.shape).join(', ')}`;
}

/** Each unknown field of a strict object is named by its own path. */
function fieldIssues(issue: z.core.$ZodIssue): Issue[] {
  const { path } = issue;
  if (issue.code !== 'unrecognized_keys') return [{ path: path.join('.') || 'body', message: issue.message }];
  return issue.keys.slice(0, UNKNOWN_FIELDS_MAX).map((name) => ({
    path: [...path, name.slice(0, SHOWN_NAME_LENGTH_MAX)].join('.'),
    message: issue.message,
  }));
}
