import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Contract, ResponseOf, StatusOf } from '../contracts/contract.ts';
import { authenticate } from '../domain/accounts/authenticate.ts';
import type { Principal } from '../domain/ports.ts';
import { type Runtime, runtimeFromEnv } from '../runtime/runtime.ts';
import { accountStore } from '../storage/accounts.ts';
import { fitAnswer } from './fitAnswer.ts';
import { type ParsedRequest, parseRequest } from './request.ts';
import { respond, respondToError } from './respond.ts';

export type HttpHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

/** `principal` is there exactly where the contract asks for a credential. */
export type EndpointRequest<C extends Contract> = ParsedRequest<C> & {
  readonly principal: C['access'] extends 'api_key' ? Principal : undefined;
};

interface Story<C extends Contract, Deps, Status extends StatusOf<C>> {
  /** Built once per cold start. */
  readonly dependencies: (runtime: Runtime) => Deps;
  readonly handle: (request: EndpointRequest<C>, deps: Deps) => Promise<ResponseOf<C, Status>>;
}

/**
 * The Lambda handler of one endpoint: authenticate, parse, act, answer, in this order. Errors leave as the
 * envelope. `withRuntime` gives the same handler on another table, clock, log or dependency.
 */
export function endpoint<C extends Contract, Deps, Status extends StatusOf<C>>(
  contract: C,
  story: Story<C, Deps, Status>,
): HttpHandler & { withRuntime(runtime: Runtime, overrides?: Partial<Deps>): HttpHandler } {
  let built: HttpHandler | undefined;
  const handler: HttpHandler = (event, context) => {
    built ??= build(contract, story, runtimeFromEnv());
    return built(event, context);
  };
  return Object.assign(handler, {
    withRuntime: (runtime: Runtime, overrides: Partial<Deps> = {}) =>
      build(contract, story, runtime, overrides),
  });
}

function build<C extends Contract, Deps, Status extends StatusOf<C>>(
  contract: C,
  story: Story<C, Deps, Status>,
  runtime: Runtime,
  overrides: Partial<Deps> = {},
): HttpHandler {
  const deps = { ...story.dependencies(runtime), ...overrides };
  const accounts = accountStore(runtime.table);

  async function handle(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> {
    const principal =
      contract.access === 'api_key' ? await authenticate(accounts, event.headers.authorization) : undefined;
    const request = { ...parseRequest(contract, event), principal } as EndpointRequest<C>;
    return fitAnswer(event, respond(contract, await story.handle(request, deps)));
  }

  return middy(handle).use([requestLog(contract, runtime), errorEnvelope(runtime)]) as unknown as HttpHandler;
}

type Middleware = middy.MiddlewareObj<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>;

function errorEnvelope({ log }: Runtime): Middleware {
  return {
    onError: (request) => {
      request.response = respondToError(request.error, { log, requestId: request.context.awsRequestId });
    },
  };
}

/** One line a request, with the request units it cost. */
function requestLog(contract: Contract, { log, now, table }: Runtime): Middleware {
  const started = new WeakMap<object, { at: number; units: ReturnType<typeof table.consumed> }>();
  const completed: Middleware['after'] = (request) => {
    const start = started.get(request.event) ?? { at: now(), units: table.consumed() };
    const units = table.consumed();
    log('info', 'request_completed', {
      request_id: request.context.awsRequestId,
      endpoint: contract.id,
      status: request.response?.statusCode,
      duration_ms: Math.round(now() - start.at),
      read_units: units.read - start.units.read,
      write_units: units.write - start.units.write,
    });
  };
  return {
    before: (request) => void started.set(request.event, { at: now(), units: table.consumed() }),
    after: completed,
    onError: completed,
  };
}
