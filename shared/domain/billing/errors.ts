import { AppError } from '../errors.ts';
import type { Payments } from './ports.ts';

export function configured(payments: Payments | undefined): Payments {
  if (payments !== undefined) return payments;
  throw new AppError(
    'BILLING_NOT_CONFIGURED',
    'This deployment takes no payments: its operator sets the plan of an organisation.',
  );
}

export const providerUnavailable = (): AppError =>
  new AppError(
    'PAYMENT_PROVIDER_UNAVAILABLE',
    'The payment provider does not answer as it should: try again in a minute. Nothing is bought twice by that.',
  );
