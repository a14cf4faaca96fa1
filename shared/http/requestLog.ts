import type middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Contract } from '../contracts/base/contract.ts';
import type { Credential } from '../contracts/base/credentials.ts';
import type { Principal } from '../domain/principal.ts';
import type { Runtime } from '../runtime/runtime.ts';

type Middleware = middy.MiddlewareObj<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>;

export function requestLog(contract: Contract, { log, now, table }: Runtime) {
  const started = new WeakMap<object, { at: number; units: ReturnType<typeof table.consumed> }>();
  const callers = new WeakMap<object, Principal>();
  const runs = new WeakMap<object, string>();
  const completed: Middleware['after'] = ({ event, context, response }) => {
    const start = started.get(event) ?? { at: now(), units: table.consumed() };
    const units = table.consumed();
    const caller = callers.get(event);
    const runId = runs.get(event);
    log('info', 'request_completed', {
      request_id: context.awsRequestId,
      endpoint: contract.id,
      status: response?.statusCode,
      ...(caller && { org_id: caller.orgId, by: named(caller.credential) }),
      ...(runId && { run_id: runId }),
      duration_ms: Math.round(now() - start.at),
      read_units: units.read - start.units.read,
      write_units: units.write - start.units.write,
    });
  };
  const middleware: Middleware = {
    before: ({ event }) => void started.set(event, { at: now(), units: table.consumed() }),
    after: completed,
    onError: completed,
  };
  return {
    middleware,
    noteCaller: (event: APIGatewayProxyEventV2, principal: Principal): void =>
      void callers.set(event, principal),
    noteRun: (event: APIGatewayProxyEventV2, runId: string): void => void runs.set(event, runId),
  };
}

/** Type and ids only: the names of a job and its actor do not belong in every line. */
const named = (credential: Credential) =>
  'registration_id' in credential
    ? {
        type: credential.type,
        registration_id: credential.registration_id,
        ...(credential.type === 'person' && { subject: credential.subject }),
      }
    : { type: credential.type, key_id: credential.key_id };
