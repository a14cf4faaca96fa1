import Stripe from 'stripe';
import { providerUnavailable } from '../domain/billing/errors.ts';
import { invalidField } from '../domain/errors.ts';
import type { Log } from '../runtime/log.ts';
import type { PaymentsConfig } from '../runtime/paymentsConfig.ts';

/** Two tries, the pause between them and a second call take less than API Gateway's 30 s. */
const TIMEOUT_MS = 6_000;
/** A deadline of our own: the SDK's timeout only limits silence. */
const DEADLINE_MS = 13_500;

export function stripeClient({ secretKey, apiBase }: PaymentsConfig): Stripe {
  return new Stripe(secretKey, {
    // Pinned with the SDK: the shapes of objects and events belong to a version.
    apiVersion: '2026-10-28.endive',
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(apiBase && {
      protocol: apiBase.protocol === 'http:' ? 'http' : 'https',
      host: apiBase.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: apiBase.port || (apiBase.protocol === 'http:' ? 80 : 443),
    }),
  });
}

const OUR_FIELDS = new Set(['success_url', 'cancel_url']);

/** Ends within the deadline, and turns every failure into one error for the caller and one log line. */
export async function ask<T>(log: Log, operation: string, request: () => Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${DEADLINE_MS} ms`)), DEADLINE_MS);
  try {
    return await Promise.race([request(), late]);
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && OUR_FIELDS.has(error.param ?? '')) {
      throw invalidField(error.param ?? '', 'is not a URL that the payment provider takes');
    }
    log('error', 'payment_provider_failed', { operation, ...facts(error) });
    throw providerUnavailable();
  } finally {
    clearTimeout(timer);
  }
}

/** Without the message, which may quote a key. */
function facts(error: unknown): Record<string, unknown> {
  if (!(error instanceof Stripe.errors.StripeError)) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
  const { type, code, param, statusCode, requestId } = error;
  return { type, error_code: code, param, status: statusCode, provider_request_id: requestId };
}

export const isMissing = (error: unknown, param: string): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  error.code === 'resource_missing' &&
  error.param === param;

/** The meter's refusal of an identifier that it knows already. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  (error.code === 'duplicate_meter_event' || /^An event already exists with identifier /.test(error.message));
