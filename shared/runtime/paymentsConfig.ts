import * as z from 'zod';
import { readVariables } from './config.ts';
import { isLoopback } from './loopback.ts';

const listSchema = z
  .string()
  .transform((text) => text.split(',').map((item) => item.trim()))
  .pipe(z.array(z.string().min(1)).min(1));

const originSchema = z
  .url({ protocol: /^https?$/ })
  .transform((text) => new URL(text))
  .refine(
    ({ pathname, search, username, password }) => `${pathname}${search}${username}${password}` === '/',
    {
      error: 'must have no path, query or user',
    },
  )
  .refine(({ protocol, hostname }) => protocol === 'https:' || isLoopback(hostname), {
    error: 'must be https; http only on this machine',
  });

export const paymentsVariables = {
  /** The payment provider; without its secret key the deployment takes no payments. */
  STRIPE_SECRET_KEY: z.string().min(1).optional(),
  STRIPE_API_BASE: originSchema.optional(),
  /** Comma-separated; several while one takes the place of another. */
  STRIPE_WEBHOOK_SECRETS: listSchema.optional(),
  /** Comma-separated: the first price is sold, the others are those of former sales. */
  STRIPE_PRICE_PRO: listSchema.optional(),
  STRIPE_PRICE_SCALE: listSchema.optional(),
  STRIPE_PRICE_PRO_OVERAGE: z.string().min(1).optional(),
  STRIPE_PRICE_SCALE_OVERAGE: z.string().min(1).optional(),
  STRIPE_METER_EVENT_NAME: z.string().min(1).max(100).optional(),
};
type Variables = z.output<z.ZodObject<typeof paymentsVariables>>;

const NEEDED = [
  'STRIPE_WEBHOOK_SECRETS',
  'STRIPE_PRICE_PRO',
  'STRIPE_PRICE_SCALE',
  'STRIPE_PRICE_PRO_OVERAGE',
  'STRIPE_PRICE_SCALE_OVERAGE',
  'STRIPE_METER_EVENT_NAME',
] as const;

interface PlanPrices {
  /** The first is sold, all are known. */
  readonly monthly: readonly string[];
  readonly overage: string;
}

export interface PaymentsConfig {
  readonly secretKey: string;
  readonly apiBase: URL | undefined;
  readonly webhookSecrets: readonly string[];
  readonly prices: { readonly pro: PlanPrices; readonly scale: PlanPrices };
  readonly meterEventName: string;
}

/** Undefined without a secret key. With one, all other variables are needed. */
function paymentsOf(env: Variables, context: z.RefinementCtx): PaymentsConfig | undefined {
  if (env.STRIPE_SECRET_KEY === undefined) return undefined;
  for (const name of NEEDED.filter((needed) => env[needed] === undefined)) {
    context.addIssue({ code: 'custom', path: [name], message: 'is needed beside STRIPE_SECRET_KEY' });
  }
  const pricesOf = (monthly: readonly string[] = [], overage = ''): PlanPrices => ({ monthly, overage });
  return {
    secretKey: env.STRIPE_SECRET_KEY,
    apiBase: env.STRIPE_API_BASE,
    webhookSecrets: env.STRIPE_WEBHOOK_SECRETS ?? [],
    prices: {
      pro: pricesOf(env.STRIPE_PRICE_PRO, env.STRIPE_PRICE_PRO_OVERAGE),
      scale: pricesOf(env.STRIPE_PRICE_SCALE, env.STRIPE_PRICE_SCALE_OVERAGE),
    },
    meterEventName: env.STRIPE_METER_EVENT_NAME ?? '',
  };
}

export const readPayments = (env: Readonly<Record<string, string | undefined>>): PaymentsConfig | undefined =>
  readVariables(z.object(paymentsVariables).transform(paymentsOf), env);
