import type * as z from 'zod';
import type { ErrorCode } from './errors.ts';
import type { Scope } from './scopes.ts';

type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'ANY';

/**
 * What one endpoint takes and answers: the single source of its route, validation, types and documentation.
 *
 * `id` is also the path of its function file: `projects/create` lives in `functions/projects/create.ts`.
 * A path parameter that does not parse is a resource that does not exist: 404, never 400.
 */
export interface Contract {
  readonly id: string;
  readonly method: HttpMethod;
  /** `:name` marks a parameter; `$default` is the route of whatever matches nothing. */
  readonly path: string;
  readonly summary: string;
  /** Who may call: anyone, or the holder of an API key. */
  readonly access: 'public' | 'api_key';
  /** The least scope that suffices; left out, it is `full`. */
  readonly scope?: Scope;
  /** Which rate limit counts the call. */
  readonly rateClass: 'general' | 'auth' | 'none';
  readonly params?: z.ZodType<Record<string, string>>;
  /** The request headers it reads, in lower case. */
  readonly headers?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** No body at all means `{}`. */
  readonly bodyIsOptional?: true;
  /** The largest body; left out, it goes by who may call: see `bodyLimits.ts`. */
  readonly bodyBytesMax?: number;
  /** The body is signed: it is handed over as it was sent, unread. */
  readonly rawBody?: true;
  /** A page for a person: its body is HTML, sent as it is. Left out, answers are JSON. */
  readonly isPage?: true;
  /** Success bodies by status; `null` is a response without a body. */
  readonly responses: Readonly<Record<number, z.ZodType | null>>;
  readonly errors: readonly ErrorCode[];
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
} & (C['responses'][Status] extends z.ZodType
  ? { readonly body: z.input<C['responses'][Status]> }
  : { readonly body?: undefined });

export function defineContract<const C extends Contract>(contract: C): C {
  return contract;
}
