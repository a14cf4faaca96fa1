import type { Payments } from '../domain/billing/ports.ts';
import type { Config } from '../runtime/config.ts';
import type { Log } from '../runtime/log.ts';
import { stripePayments } from './stripePayments.ts';

export const paymentsFromConfig = ({ payments }: Config, log: Log): Payments | undefined =>
  payments && stripePayments(payments, log);
