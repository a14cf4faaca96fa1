import { PAID_PLANS, type PaidPlanId } from '../../../../shared/contracts/billing.ts';
import { PLAN } from '../../../../shared/domain/plans.ts';
import type { LineItem, Price } from './objects.ts';

interface Offer {
  readonly name: string;
  readonly price: Price;
  readonly overage: Price;
}

export const METER_EVENT_NAME = 'evalgate_runs_beyond_plan';

/** 2026-01-01 */
const CREATED = 1_767_225_600;

/** The monthly prices are examples; overage prices come from the plans. */
export const OFFERS: Readonly<Record<PaidPlanId, Offer>> = {
  pro: offer('pro', 4_900),
  scale: offer('scale', 24_900),
};

const PRICES = PAID_PLANS.flatMap((plan) => [OFFERS[plan].price, OFFERS[plan].overage]);

export function findPrice(id: string): Price | undefined {
  return PRICES.find((price) => price.id === id);
}

export function isMetered(price: Price): boolean {
  return price.recurring.usage_type === 'metered';
}

export function monthlyCents(items: readonly LineItem[]): number {
  return items.reduce(
    (sum, { price, quantity = 0 }) => sum + quantity * (findPrice(price)?.unit_amount ?? 0),
    0,
  );
}

export function planOf(priceIds: readonly string[]): PaidPlanId | undefined {
  return PAID_PLANS.find((plan) => priceIds.includes(OFFERS[plan].price.id));
}

function offer(plan: PaidPlanId, cents: number): Offer {
  const { name, overage } = PLAN[plan];
  if (typeof overage === 'string') throw new Error(`The plan ${plan} has no price for runs beyond it.`);
  // Dollars per 1,000 runs divided by 10 are cents per run.
  const centsPerRun = String(overage.pricePer1000 / 10);
  return {
    name,
    price: priceOf(`price_${plan}`, plan, name, { cents, decimal: String(cents) }),
    overage: priceOf(`price_${plan}_overage`, plan, `${name}: runs beyond the plan`, {
      cents: null,
      decimal: centsPerRun,
    }),
  };
}

function priceOf(
  id: string,
  plan: PaidPlanId,
  nickname: string,
  amount: { readonly cents: number | null; readonly decimal: string },
): Price {
  const metered = amount.cents === null;
  return {
    id,
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: CREATED,
    currency: 'usd',
    livemode: false,
    lookup_key: null,
    metadata: {},
    nickname,
    product: `prod_${plan}`,
    recurring: {
      interval: 'month',
      interval_count: 1,
      meter: metered ? 'mtr_runs_beyond_plan' : null,
      trial_period_days: null,
      usage_type: metered ? 'metered' : 'licensed',
    },
    type: 'recurring',
    unit_amount: amount.cents,
    unit_amount_decimal: amount.decimal,
  };
}
