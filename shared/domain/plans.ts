import type { PlanId } from '../contracts/auth.ts';

interface Plan {
  readonly name: string;
  readonly monthlyRuns: number;
  readonly retentionDays: number;
}

export const PLAN: Readonly<Record<PlanId, Plan>> = {
  free: { name: 'Free', monthlyRuns: 500, retentionDays: 14 },
  pro: { name: 'Pro', monthlyRuns: 15_000, retentionDays: 365 },
  scale: { name: 'Scale', monthlyRuns: 100_000, retentionDays: 365 },
  enterprise: { name: 'Enterprise', monthlyRuns: Number.POSITIVE_INFINITY, retentionDays: 365 },
};
