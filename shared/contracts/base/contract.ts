import type * as z from 'zod';
import { ERROR_CODES, type ErrorCode } from './errors.ts';
import { type PathParameters, pathParametersOf } from './pathParameters.ts';
import type { Rights } from './rights.ts';
import { covers, type Need, SCOPES } from './scopes.ts';

type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ANY';

/**
 * The request and the answers of one endpoint: the single source of its route, validation, types and documentation.
 *
 * `id` is also the path of its function file: `projects/create` lives in `functions/projects/create.ts`.
 * A path parameter that does not parse is a resource that does not exist: 404, never 400.
 */
export interface Contract {
  readonly id: string;
  readonly method: HttpMethod;
  /** `:name` marks a parameter; `$default` is the route of requests that match no other. */
  readonly path: string;
  readonly summary: string;
  /** `api_key`, the default, demands a credential. */
  readonly access: 'public' | 'api_key';
  /** What its caller's scope has to grant; `full` is the default. */
  readonly scope?: Need;
  /**
   * Step-up: when a session has to have given its key within ten minutes: `always`, or where the write may make a bar weaker. Left
   * out: never.
   */
  readonly reauthentication?: 'always' | 'weaker';
  /** Answered also while the organisation is being deleted, as every GET is. */
  readonly duringDeletion?: true;
  /** Which rate limit counts the call; `general` is the default. */
  readonly rateClass: 'general' | 'auth' | 'none';
  readonly params?: z.ZodType<Record<string, string>>;
  /** The request headers it reads, in lower case. */
  readonly headers?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** No body at all means `{}`. */
  readonly bodyIsOptional?: true;
  /** The largest body; the default depends on `access`: see `bodyLimits.ts`. */
  readonly bodyBytesMax?: number;
  /** The largest body when unpacked, of one that is sent with `Content-Encoding: gzip`; 1 MB is the default. */
  readonly unpackedBytesMax?: number;
  /** The body is signed: the handler gets it as it was sent, unparsed. */
  readonly rawBody?: true;
  /** The answer is a page of HTML. Left out, answers are JSON. */
  readonly isPage?: true;
  /** Pages of the service call it: clients have no operation of it. */
  readonly forBrowsers?: true;
  /** Success bodies by status; `null` is a response without a body. */
  readonly responses: Readonly<Record<number, z.ZodType | null>>;
  /** The errors that do not follow from the rest of the contract: see `errorsOf`. */
  readonly errors?: readonly ErrorCode[];
  /** What its function may do beyond authentication and rate limits; left out: nothing. */
  readonly rights?: Rights;
  /** A body that is accepted, where the resources that it names exist. */
  readonly example?: unknown;
}

type Output<T> = T extends z.ZodType ? z.output<T> : undefined;

export type ParamsOf<C extends Contract> = Output<C['params']>;
export type HeadersOf<C extends Contract> = Output<C['headers']>;
export type QueryOf<C extends Contract> = Output<C['query']>;
export type BodyOf<C extends Contract> = Output<C['body']>;

export type StatusOf<C extends Contract> = keyof C['responses'] & number;

/** A status the contract declares, with the body declared for it. */
export type ResponseOf<C extends Contract, Status extends StatusOf<C> = StatusOf<C>> = {
  readonly status: Status;
  readonly headers?: Record<string, string>;
  readonly cookies?: readonly string[];
} & (C['responses'][Status] extends z.ZodType
  ? { readonly body: z.input<C['responses'][Status]> }
  : { readonly body?: undefined });

const DEFAULTS = { access: 'api_key', rateClass: 'general' } as const;
type Defaults = typeof DEFAULTS;

type Derived = 'id' | 'method' | 'path' | 'params';
type Definition = Omit<Contract, Derived | keyof Defaults> & Partial<Pick<Contract, keyof Defaults>>;
type Route = `${HttpMethod} ${string}`;

type RouteOf<R extends Route> = R extends `${infer Method extends HttpMethod} ${infer Path}`
  ? { readonly method: Method; readonly path: Path } & PathParameters<Path>
  : never;

type Defined<R extends Route, D extends Definition> = { readonly id: string } & RouteOf<R> &
  Omit<Defaults, keyof D> &
  D;

/** `route` is method and path: `GET /v1/projects/:slug`. The path's parameters follow from their names. */
export function defineContract<const R extends Route, const D extends Definition>(
  id: string,
  route: R,
  definition: D,
): Defined<R, D> {
  const [method, path = ''] = route.split(' ');
  const defined = { ...DEFAULTS, id, method, path, ...pathParametersOf(path), ...definition };
  return defined as unknown as Defined<R, D>;
}

/** The errors of the endpoint, except those that every endpoint has, such as `INTERNAL_ERROR`. */
export function errorsOf(contract: Contract): ErrorCode[] {
  const { access, method, scope = 'full', rateClass, params, headers, query, body, errors = [] } = contract;
  const takesKey = access === 'api_key';
  const implied: readonly (readonly [ErrorCode, boolean])[] = [
    // A version that a deletion would not keep to is refused.
    ['VALIDATION_ERROR', method === 'DELETE' || (headers ?? query ?? body) !== undefined],
    ['UNAUTHORIZED', takesKey],
    ['SCOPE_REQUIRED', takesKey && !SCOPES.every((one) => covers(one, scope))],
    ['ORGANISATION_BEING_DELETED', takesKey && method !== 'GET' && contract.duringDeletion !== true],
    ['REAUTHENTICATION_REQUIRED', contract.reauthentication !== undefined],
    ['NOT_FOUND', params !== undefined],
    ['RATE_LIMITED', rateClass !== 'none'],
  ];
  const all = new Set([...errors, ...implied.filter(([, isSo]) => isSo).map(([code]) => code)]);
  return ERROR_CODES.filter((code) => all.has(code));
}
