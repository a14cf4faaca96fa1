import type { PlanId } from '../contracts/auth.ts';

interface PlanTerms {
  readonly name: string;
  readonly monthlyRuns: number;
  readonly retentionDays: number;
  /** Further runs are refused (`blocked`), or cost a price in US dollars, or do not exist (`none`). */
  readonly overage: 'blocked' | { readonly pricePer1000: number } | 'none';
  readonly hasAnalytics: boolean;
}

export const PLAN: Readonly<Record<PlanId, PlanTerms>> = {
  free: { name: 'Free', monthlyRuns: 500, retentionDays: 14, overage: 'blocked', hasAnalytics: false },
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
