import type { Payments } from '../domain/billing/ports.ts';
import type { Config } from '../runtime/config.ts';
import type { Log } from '../runtime/log.ts';
import { readPayments } from '../runtime/paymentsConfig.ts';
import { stripePayments } from './stripePayments.ts';

/** Only functions of billing read the variables of the payment provider. */
export function paymentsFromConfig({ variables }: Config, log: Log): Payments | undefined {
  const payments = readPayments(variables);
  return payments && stripePayments(payments, log);
}
