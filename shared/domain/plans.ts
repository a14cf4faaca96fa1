import type { PlanId } from '../contracts/auth.ts';

interface PlanTerms {
  readonly name: string;
  readonly monthlyRuns: number;
  readonly retentionDays: number;
  /** Further runs are refused (`blocked`), or cost a price in US dollars, or do not exist (`none`). */
  readonly overage: 'blocked' | { readonly pricePer1000: number } | 'none';
  readonly hasAnalytics: boolean;
}

/** A plan of an organisation, as it is when it lets a run in. */
export interface PlanInForce {
  readonly id: PlanId;
  /** Grows with every change of the organisation's plan. The first plan has 1. */
  readonly version: number;
}

export const PLAN: Readonly<Record<PlanId, PlanTerms>> = {
  free: {
    name: 'Free',
    monthlyRuns: 500,
    retentionDays: 14,
    overage: 'blocked',
    hasAnalytics: false,
  },
  pro: {
    name: 'Pro',
    monthlyRuns: 15_000,
    retentionDays: 365,
    overage: { pricePer1000: 3 },
    hasAnalytics: true,
  },
  scale: {
    name: 'Scale',
    monthlyRuns: 100_000,
    retentionDays: 365,
    overage: { pricePer1000: 1.5 },
    hasAnalytics: true,
  },
  enterprise: {
    name: 'Enterprise',
    monthlyRuns: Number.POSITIVE_INFINITY,
    retentionDays: 365,
    overage: 'none',
    hasAnalytics: true,
  },
};

/** Apart from the other terms, which every run's function carries. */
export const API_KEYS_MAX: Readonly<Record<PlanId, number>> = {
  free: 50,
  pro: 200,
  scale: 1_000,
  enterprise: 1_000,
};

/** The runs of a month beyond which the plan blocks further ones. Undefined: it blocks none. */
export const quotaOf = (plan: PlanId): number | undefined =>
  PLAN[plan].overage === 'blocked' ? PLAN[plan].monthlyRuns : undefined;
