import { AppError } from '../errors.ts';
import type { BillingDeps } from './checkout.ts';
import { configured } from './errors.ts';
import { settleSubscription } from './settle.ts';

/** The error does not say what was wrong, so that it does not help to forge a signature. */
const badSignature = (): AppError =>
  new AppError('VALIDATION_ERROR', 'This is no event that the payment provider signed just now.');

/**
 * An event only names the customer whose subscriptions are then read from the provider, so that repeated, late or
 * reordered events do no harm. On an error the provider sends the event again.
 */
export async function receiveEvent(
  deps: BillingDeps,
  { rawBody, signature }: { rawBody: Buffer; signature: string | undefined },
): Promise<void> {
  const payments = configured(deps.payments);
  const event = payments.customerOfEvent({ rawBody, signature, now: deps.now() });
  if (event === undefined) throw badSignature();
  const { customerId } = event;
  if (customerId === null) return;
  try {
    const orgId = await deps.billing.organisationOfCustomer(customerId);
    if (orgId === undefined) deps.record('payment_webhook_ignored', { customer: customerId });
    else await settleSubscription(deps, payments, orgId);
  } catch (error) {
    deps.record('payment_webhook_failed', { customer: customerId, error: String(error) });
    throw error;
  }
}
