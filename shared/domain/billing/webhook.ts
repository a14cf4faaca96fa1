import { AppError } from '../errors.ts';
import type { BillingDeps } from './checkout.ts';
import { configured } from './errors.ts';
import { settleSubscription } from './settle.ts';

/** Says nothing of what was wrong: it is read by whoever tries to forge one. */
const badSignature = (): AppError =>
  new AppError('VALIDATION_ERROR', 'This is no event that the payment provider signed just now.');

/**
 * An event only says whose subscription to look at: what it claims of it may be old. So events that come twice, late
 * or in another order do no harm. What fails is answered with an error, and the provider sends it again.
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
