import { organisationOf } from '../access.ts';
import { PLAN } from '../plans.ts';
import type { Ambient } from '../ports.ts';
import type { Principal } from '../principal.ts';
import type { UsageStore } from '../runs/ports.ts';
import { monthOf, timestamp } from '../time.ts';

const UNLIMITED = -1;

export async function readUsage(
  { usage, now }: Pick<Ambient, 'now'> & { usage: UsageStore },
  principal: Principal,
) {
  const orgId = organisationOf(principal, 'organisation', 'read');
  const { name, monthlyRuns, retentionDays } = PLAN[principal.plan];
  const used = await usage.used(orgId, monthOf(timestamp(now())));
  const limited = Number.isFinite(monthlyRuns);
  return {
    plan: principal.plan,
    plan_name: name,
    monthly_limit: limited ? monthlyRuns : UNLIMITED,
    current_usage: used,
    retention_days: retentionDays,
    usage_percentage: limited ? Math.round((used / monthlyRuns) * 10_000) / 100 : 0,
  };
}
