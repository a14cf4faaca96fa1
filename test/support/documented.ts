import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Answer, OpenApiDocument, Operation } from '../../clients/api/openapi/types.ts';
import { REPOSITORY_DIR } from './processes.ts';

const DOCUMENT_FILE = path.join(REPOSITORY_DIR, 'clients/pages/openapi.json');

/** An answer as a client got it, and what it was the answer to. */
export interface Answered {
  readonly method: string;
  /** With its query, as it was sent. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  /** Parsed where it is JSON; undefined where there is none. */
  readonly body: unknown;
}

interface Documented {
  readonly document: OpenApiDocument;
  readonly paths: readonly { readonly template: string; readonly form: RegExp }[];
  readonly validators: Map<string, ValidateFunction>;
  readonly ajv: Ajv2020;
}

/** What all test files of a process share: see test/support/jest/environment.cjs. */
const { [Symbol.for('evalgate.kept')]: kept = new Map() } = globalThis as unknown as {
  [key: symbol]: Map<string, unknown> | undefined;
};

function documented(): Documented {
  if (!kept.has('documented')) kept.set('documented', readDocument());
  return kept.get('documented') as Documented;
}

const FORMATS = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
};

function readDocument(): Documented {
  const document = JSON.parse(readFileSync(DOCUMENT_FILE, 'utf8')) as OpenApiDocument;
  const ajv = new Ajv2020({ strict: false, validateSchema: false, formats: FORMATS, allErrors: true });
  ajv.addSchema(closed(document), 'document');
  const templates = Object.keys(document.paths).sort(literalsFirst);
  const paths = templates.map((template) => ({ template, form: formOf(template) }));
  return { document, paths, validators: new Map(), ajv };
}

/** `/suites/from-template` is not the suite of that slug. */
const literalsFirst = (a: string, b: string): number => a.split('{').length - b.split('{').length;
const formOf = (template: string): RegExp => new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`);

/** The service may say more one day, and a client must not mind. Today it says what is documented, and nothing else. */
function closed<T>(part: T): T;
function closed(part: unknown): unknown {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map(closed);
  const inner = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, closed(value)]));
  const isOpen = inner.type === 'object' && 'properties' in inner && !('additionalProperties' in inner);
  return isOpen ? { ...inner, additionalProperties: false } : inner;
}

const pointer = (...names: string[]): string =>
  names.map((name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');

function complaintsAbout(value: unknown, ...place: string[]): string {
  const { validators, ajv } = documented();
  const $ref = `document#${pointer(...place)}`;
  const validate = validators.get($ref) ?? ajv.compile({ $ref });
  validators.set($ref, validate);
  if (validate(value)) return '';
  const mistakeText = ({ instancePath, message, params }: ErrorObject): string =>
    `${instancePath || 'the body'} ${message} (${JSON.stringify(params)})`;
  return (validate.errors ?? []).map(mistakeText).join(', ');
}

/** What the body of a request violates; empty for a valid one. */
export const complaintsAboutBody = (template: string, method: string, body: unknown): string =>
  complaintsAbout(body, 'paths', template, method, 'requestBody', 'content', 'application/json', 'schema');

const HEADERS = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'];
const OTHER_HEADERS = ['www-authenticate', 'idempotency-replayed'];

const mediaTypeOf = (headers: Headers): string => headers.get('content-type')?.split(';')[0] ?? '';

/** Answers of API Gateway and CloudFront, which the service does not write. */
const isFromInFront = ({ status, headers, body }: Answered): boolean =>
  status >= 400 &&
  (mediaTypeOf(headers) === 'text/html' ||
    (typeof body === 'object' && body !== null && Object.keys(body).join() === 'message'));

/**
 * Throws where an answer is not one that the OpenAPI document describes: its status, type, body, error code and headers.
 * What is no operation of the document is not looked at.
 */
export function expectDocumented(answered: Answered): void {
  const { document, paths } = documented();
  const asked = answered.path.split('?')[0] ?? '';
  const template = paths.find(({ form }) => form.test(asked))?.template ?? '';
  const method = answered.method === 'HEAD' ? 'get' : answered.method.toLowerCase();
  const operation = document.paths[template]?.[method];
  if (operation === undefined || isFromInFront(answered)) return;
  const complaint = complaintOf(answered, operation, ['paths', template, method]);
  if (complaint === '') return;
  throw new Error(`${operation.operationId} answered what openapi.json does not have: ${complaint}`);
}

function complaintOf(answered: Answered, operation: Operation, place: string[]): string {
  const { status, headers, body, method } = answered;
  const answer = operation.responses[status];
  if (answer === undefined) return `status ${status}, ${JSON.stringify(body)}`;
  const undeclared = undeclaredHeader(headers, answer);
  if (undeclared !== undefined) return `the header ${undeclared} with status ${status}`;
  if (method === 'HEAD') return '';
  const [mediaType = ''] = Object.keys(answer.content ?? {});
  if (mediaTypeOf(headers) !== mediaType) return `the type ${mediaTypeOf(headers)} with status ${status}`;
  if (mediaType === '') return body === undefined ? '' : `a body with status ${status}`;
  const code = (body as { error?: { code?: string } } | undefined)?.error?.code;
  const codes = answer['x-error-codes'];
  if (codes !== undefined && !codes.includes(code ?? '')) return `the code ${code} with status ${status}`;
  return complaintsAbout(body, ...place, 'responses', String(status), 'content', mediaType, 'schema');
}

function undeclaredHeader(headers: Headers, answer: Answer): string | undefined {
  const declared = new Set(Object.keys(answer.headers ?? {}).map((name) => name.toLowerCase()));
  const sent = [...HEADERS, ...OTHER_HEADERS].filter((name) => headers.has(name));
  return sent.find(
    (name) => !declared.has(name) || (HEADERS.includes(name) && !/^\d+$/.test(headers.get(name) ?? '')),
  );
}
