import { PAID_PLANS, type PaidPlanId } from '../../../shared/contracts/billing.ts';
import { PLAN } from '../../../shared/domain/plans.ts';

/** Of Stripe's prices what our client and the pages read. */
export interface Price {
  readonly id: string;
  readonly object: 'price';
  readonly nickname: string;
  readonly recurring: { readonly interval: 'month'; readonly usage_type: 'licensed' | 'metered' };
  /** A month, or a run beyond the plan, which costs a fraction of a cent. */
  readonly unit_amount_decimal: string;
}

export const METER_EVENT_NAME = 'evalgate_runs_beyond_plan';

/** The monthly prices are examples; overage prices come from the plans. */
const MONTHLY_CENTS: Readonly<Record<PaidPlanId, number>> = { pro: 4_900, scale: 24_900 };

export const monthlyId = (plan: PaidPlanId): string => `price_${plan}`;
export const overageId = (plan: PaidPlanId): string => `price_${plan}_overage`;

const PRICES: readonly Price[] = PAID_PLANS.flatMap((plan) => {
  const { name, overage } = PLAN[plan];
  if (typeof overage === 'string') throw new Error(`The plan ${plan} has no price for runs beyond it.`);
  // Dollars per 1,000 runs divided by 10 are cents per run.
  const centsPerRun = overage.pricePer1000 / 10;
  return [
    priceOf(monthlyId(plan), name, 'licensed', MONTHLY_CENTS[plan]),
    priceOf(overageId(plan), `${name}: runs beyond the plan`, 'metered', centsPerRun),
  ];
});

function priceOf(
  id: string,
  nickname: string,
  usage_type: Price['recurring']['usage_type'],
  cents: number,
): Price {
  const recurring = { interval: 'month', usage_type } as const;
  return { id, object: 'price', nickname, recurring, unit_amount_decimal: String(cents) };
}

export const findPrice = (id: string): Price | undefined => PRICES.find((price) => price.id === id);

const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

export function describePrice({ recurring, unit_amount_decimal }: Price): string {
  const cents = Number(unit_amount_decimal);
  return recurring.usage_type === 'metered'
    ? `${dollars(cents * 1_000)} per 1,000 runs`
    : `${dollars(cents)} per month`;
}

/** What is paid when a subscription begins: overage is not known yet. */
export function dueToday(prices: readonly Price[]): string {
  const licensed = prices.filter(({ recurring }) => recurring.usage_type === 'licensed');
  return dollars(licensed.reduce((sum, { unit_amount_decimal }) => sum + Number(unit_amount_decimal), 0));
}
