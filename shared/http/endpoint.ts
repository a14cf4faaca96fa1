import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Contract, ResponseOf, StatusOf } from '../contracts/base/contract.ts';
import { covers } from '../contracts/base/scopes.ts';
import { authenticate, presentedIn } from '../domain/accounts/authenticate.ts';
import { useRecorder } from '../domain/accounts/lastUse.ts';
import type { Presented } from '../domain/accounts/ports.ts';
import type { Principal } from '../domain/principal.ts';
import { type Runtime, runtimeFromEnv } from '../runtime/runtime.ts';
import { accountStore } from '../storage/accounts/accounts.ts';
import type { Table } from '../storage/table/table.ts';
import { unpackerFor } from './body.ts';
import { onlyThroughEdge } from './clientAddress.ts';
import { fitAnswer } from './fitAnswer.ts';
import type { UnpackGzip } from './gzip.ts';
import { type RateLimitGate, rateLimitGate } from './rateLimit.ts';
import { type ParsedRequest, parseRequest } from './request.ts';
import { requestLog } from './requestLog.ts';
import { respond, respondToError } from './respond.ts';
import { lazyTokenVerifier } from './tokens.ts';

type Turn = () => void;

/** Where requests share a process, a large body waits for its turn to be read. */
export interface Turned extends APIGatewayProxyEventV2 {
  readonly takeTurn?: (() => Promise<Turn>) | undefined;
}

export type HttpHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

type EndpointRequest<C extends Contract> = ParsedRequest<C> & {
  readonly principal: C['access'] extends 'api_key' ? Principal : undefined;
};

type StoreMakers = Readonly<Record<string, (table: Table, runtime: Runtime) => unknown>>;

type DependenciesOf<Makers extends StoreMakers, Others> = Others &
  Pick<Runtime, 'now' | 'newId' | 'log'> & { readonly [Name in keyof Makers]: ReturnType<Makers[Name]> };

type NoStores = Readonly<Record<never, never>>;

interface EndpointDefinition<
  C extends Contract,
  Makers extends StoreMakers,
  Others,
  Status extends StatusOf<C>,
  Deps = DependenciesOf<Makers, Others>,
> {
  readonly stores?: Makers & StoreMakers;
  /** Dependencies besides stores and the runtime's clock, ids and log. Built once per cold start. */
  readonly dependencies?: (runtime: Runtime) => Others;
  /** Throws an error that does not depend on the request, before the request is read. */
  readonly precheck?: (deps: Deps) => void;
  readonly handle: (request: EndpointRequest<C>, deps: Deps) => Promise<ResponseOf<C, Status>>;
  readonly runOf?: (request: EndpointRequest<C>, answer: ResponseOf<C, Status>) => string;
  /** Forms of an answer that is too large for Lambda. The first that fits is sent. */
  readonly shorten?: readonly ((answer: ResponseOf<C, Status>) => ResponseOf<C, Status>)[];
}

/** Rate limit and authentication, parsing, action, answer, in this order. Errors get the envelope. */
export function endpoint<
  C extends Contract,
  Status extends StatusOf<C>,
  Makers extends StoreMakers = NoStores,
  Others = object,
>(
  contract: C,
  definition: EndpointDefinition<C, Makers, Others, Status>,
): HttpHandler & {
  withRuntime(runtime: Runtime, overrides?: Partial<DependenciesOf<Makers, Others>>): HttpHandler;
} {
  let built: HttpHandler | undefined;
  const handler: HttpHandler = (event, context) => {
    built ??= build(contract, definition, runtimeFromEnv());
    return built(event, context);
  };
  return Object.assign(handler, {
    withRuntime: (runtime: Runtime, overrides: Partial<DependenciesOf<Makers, Others>> = {}) =>
      build(contract, definition, runtime, overrides),
  });
}

function dependenciesOf<C extends Contract, Makers extends StoreMakers, Others, Status extends StatusOf<C>>(
  { stores, dependencies }: EndpointDefinition<C, Makers, Others, Status>,
  runtime: Runtime,
): DependenciesOf<Makers, Others> {
  const { table, now, newId, log } = runtime;
  const madeStores = Object.entries(stores ?? {}).map(([name, make]) => [name, make(table, runtime)]);
  const all = { now, newId, log, ...Object.fromEntries(madeStores), ...dependencies?.(runtime) };
  return all as DependenciesOf<Makers, Others>;
}

function build<C extends Contract, Makers extends StoreMakers, Others, Status extends StatusOf<C>>(
  contract: C,
  definition: EndpointDefinition<C, Makers, Others, Status>,
  runtime: Runtime,
  overrides: Partial<DependenciesOf<Makers, Others>> = {},
): HttpHandler {
  const deps = { ...dependenciesOf(definition, runtime), ...overrides };
  const limit = rateLimitGate(contract, runtime);
  const credentials = {
    accounts: accountStore(runtime.table, runtime.now),
    tokens: lazyTokenVerifier(runtime),
  };
  const recordUse = useRecorder({ accounts: credentials.accounts, now: runtime.now });
  const log = requestLog(contract, runtime);

  async function handle(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> {
    if (contract.access === 'public') {
      await limit.countAndLookUp(event, async () => undefined);
      return answer(event, undefined);
    }
    let presented: Presented | undefined;
    const present = (): Presented => (presented ??= presentedIn(event));
    // What has not the form of a credential is not counted, except where credentials are tried.
    if (contract.rateClass !== 'auth') present();
    const principal = await limit.countAndLookUp(event, async () => authenticate(credentials, present()));
    log.noteCaller(event, principal);
    const recorded = recordUse(present(), principal);
    // Awaited, since Lambda freezes what still runs after the answer.
    return answer(event, principal).finally(() => recorded);
  }

  async function answer(event: APIGatewayProxyEventV2, principal: Principal | undefined) {
    if (principal?.deletesAt && contract.method !== 'GET' && !contract.duringDeletion)
      throw (await import('./beingDeleted.ts')).beingDeleted(principal.deletesAt);
    definition.precheck?.(deps);
    const unpack = await unpackerFor(event);
    const endTurn = await (event as Turned).takeTurn?.();
    const request = { ...parsed(event, endTurn, unpack), principal } as EndpointRequest<C>;
    if (
      contract.reauthentication === 'always' &&
      principal &&
      covers(principal.scope, contract.scope ?? 'full')
    ) {
      principal.session?.requireReauthentication();
    }
    const result = await definition.handle(request, deps);
    if (definition.runOf) log.noteRun(event, definition.runOf(request, result));
    const shorter = definition.shorten?.map((shorten) => () => respond(contract, shorten(result)));
    return fitAnswer(event, respond(contract, result), shorter);
  }

  function parsed(event: APIGatewayProxyEventV2, endTurn: Turn | undefined, unpack: UnpackGzip | undefined) {
    try {
      return parseRequest(contract, event, unpack);
    } finally {
      endTurn?.();
    }
  }

  // Answers pass these from last to first.
  const around = [
    NO_BODY_FOR_HEAD,
    log.middleware,
    limitHeaders(limit),
    errorEnvelope(runtime),
    onlyThroughEdge(runtime.config),
  ];
  return middy(handle).use(around) as unknown as HttpHandler;
}

type Middleware = middy.MiddlewareObj<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>;

const dropBody: Middleware['after'] = ({ event, response }) => {
  if (event.requestContext.http.method !== 'HEAD' || response == null) return;
  delete response.body;
  delete response.isBase64Encoded;
};

const NO_BODY_FOR_HEAD: Middleware = { after: dropBody, onError: dropBody };

function errorEnvelope({ log }: Runtime): Middleware {
  return {
    onError: (request) => {
      request.response = respondToError(request.error, { log, requestId: request.context.awsRequestId });
    },
  };
}

function limitHeaders(limit: RateLimitGate): Middleware {
  const add: Middleware['after'] = ({ event, response }) => {
    if (response) response.headers = { ...response.headers, ...limit.headers(event) };
  };
  return { after: add, onError: add };
}
