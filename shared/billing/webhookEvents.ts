import { isUtf8 } from 'node:buffer';
import Stripe from 'stripe';
import * as z from 'zod';
import type { WebhookDelivery } from '../domain/billing/ports.ts';
import type { PaymentsConfig } from '../runtime/paymentsConfig.ts';

const TOLERANCE_SECONDS = 300;

const OF_INTEREST =
  /^(checkout\.session\.(completed|async_payment_succeeded)|customer\.subscription\.\w+|customer\.deleted|invoice\.\w+)$/;

const eventSchema = z.object({
  type: z.string(),
  livemode: z.boolean(),
  data: z.object({
    object: z.object({
      id: z.string().optional(),
      object: z.string().optional(),
      customer: z.union([z.string(), z.object({ id: z.string() })]).nullish(),
    }),
  }),
});

/** The SDK refuses only events that are too old. This refuses times in the future, in every `t` of the header. */
const isSignedBefore = (seconds: number, signature: string): boolean =>
  signature
    .split(',')
    .map((part) => part.split('='))
    .filter(([name]) => name === 't')
    .every(([, time = '']) => Number.parseInt(time, 10) <= seconds);

/** The event, if one of our secrets signed it and it is recent. Undefined otherwise. */
function verified({ rawBody, signature, now }: WebhookDelivery, secrets: readonly string[]): unknown {
  if (signature === undefined || !isUtf8(rawBody)) return undefined;
  if (!isSignedBefore(now / 1_000 + TOLERANCE_SECONDS, signature)) return undefined;
  const text = rawBody.toString();
  for (const secret of secrets) {
    try {
      return Stripe.webhooks.constructEvent(text, signature, secret, TOLERANCE_SECONDS, undefined, now);
    } catch {
      // Another secret may match.
    }
  }
  return undefined;
}

export function customerOfEvent(
  { webhookSecrets, secretKey }: PaymentsConfig,
  delivery: WebhookDelivery,
): { customerId: string | null } | undefined {
  const event = verified(delivery, webhookSecrets);
  if (event === undefined) return undefined;
  const parsed = eventSchema.safeParse(event).data;
  // Events of live and of test data are separate: only those of the key's mode are applied.
  const ours = parsed?.livemode === /^[a-z]+_live_/.test(secretKey);
  if (parsed === undefined || !ours || !OF_INTEREST.test(parsed.type)) return { customerId: null };
  const { id, object, customer } = parsed.data.object;
  const named = object === 'customer' ? id : typeof customer === 'string' ? customer : customer?.id;
  return { customerId: named ?? null };
}
