import { randomBytes } from 'node:crypto';
import { type ApiAnswer, type ApiRequest, headerOf, ok, refusal } from './apiMessages.ts';
import { authenticate, invalidKey } from './authenticate.ts';
import { parseForm } from './form.ts';
import { findOperation, READS, WRITES } from './operations.ts';
import type { View } from './resources/change.ts';
import { ProviderError } from './resources/providerError.ts';
import { failure, type WriteDependencies, writeOnce } from './writeOnce.ts';

export interface ApiDependencies extends WriteDependencies {
  readonly deliverAgain: (eventId: string) => Promise<number>;
  /** Called after every change: it may have added events to deliver, or released them. */
  readonly changed: () => void;
}

/** Undefined: the request was carried out, and its answer is lost. */
export type PaymentApi = (request: ApiRequest) => Promise<ApiAnswer | undefined>;

export function createPaymentApi(dependencies: ApiDependencies): PaymentApi {
  const { hooks } = dependencies;
  return async (request) => {
    const requestId = `req_${randomBytes(12).toString('hex')}`;
    const { status, headers, body } = await answer(dependencies, request, requestId).catch(refusal);
    await hooks.delay('answered', request);
    if (hooks.fault === 'drop') return undefined;
    const version = headerOf(request, 'stripe-version');
    const key = headerOf(request, 'idempotency-key');
    return {
      status,
      headers: {
        'content-type': 'application/json',
        'request-id': requestId,
        ...(version === undefined ? {} : { 'stripe-version': version }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...headers,
      },
      body,
    };
  };
}

async function answer(
  dependencies: ApiDependencies,
  request: ApiRequest,
  requestId: string,
): Promise<ApiAnswer> {
  const { store, now, baseUrl, deliverAgain, hooks } = dependencies;
  const { method, path } = request;
  await hooks.delay('received', request);
  if (hooks.fault === 'stall') return new Promise(() => {});
  if (hooks.fault === 'unauthorised') throw invalidKey();
  authenticate(store.read().secretKey, headerOf(request, 'authorization'));
  const [, eventId] = /^\/simulation\/events\/(\w+)\/deliver$/.exec(path) ?? [];
  if (method === 'POST' && eventId !== undefined) return ok({ status: await deliverAgain(eventId) });

  const read = findOperation(READS, method, path);
  if (read !== undefined) {
    if (hooks.fault === 'down') throw failure();
    const view: View = { state: store.read(), nowMs: now(), baseUrl: baseUrl() };
    // A copy: the answer is what was true when the request was carried out.
    return ok(structuredClone(read.operation.prepare(parseForm(request.query), read.id)(view)));
  }
  const write = findOperation(WRITES, method, path);
  if (write === undefined) {
    throw new ProviderError(404, `Unrecognized request URL (${method}: ${path}).`);
  }
  const form = parseForm(method === 'DELETE' ? request.query : request.body);
  const written = writeOnce(dependencies, { ...write, form, request, requestId });
  dependencies.changed();
  return written;
}
