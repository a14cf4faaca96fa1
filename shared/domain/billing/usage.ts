import { organisationOf } from '../access.ts';
import { SLOTS_MAX } from '../evaluation/limits.ts';
import { LIMIT, OPEN_JUDGED_CASES_MAX } from '../limits.ts';
import { API_KEYS_MAX, PLAN } from '../plans.ts';
import type { Ambient } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { monthOf, timestamp } from '../time.ts';
import type { ProjectUsageStore } from './ports.ts';

const UNLIMITED = -1;

export async function readUsage(
  { usage, now }: Pick<Ambient, 'now'> & { usage: ProjectUsageStore },
  principal: Principal,
) {
  const orgId = organisationOf(principal, 'organisation', 'read');
  const { name, monthlyRuns, retentionDays } = PLAN[principal.plan];
  const projects = await usage.byProject(orgId, monthOf(timestamp(now())));
  const used = projects.reduce((sum, { runs }) => sum + runs, 0);
  const limited = Number.isFinite(monthlyRuns);
  const monthlyLimit = limited ? monthlyRuns : UNLIMITED;
  return {
    plan: principal.plan,
    plan_name: name,
    monthly_limit: monthlyLimit,
    current_usage: used,
    retention_days: retentionDays,
    usage_percentage: limited ? Math.round((used / monthlyRuns) * 10_000) / 100 : 0,
    limits: {
      monthly_runs: monthlyLimit,
      retention_days: retentionDays,
      api_keys: API_KEYS_MAX[principal.plan],
      projects: LIMIT.projects,
      suites_per_project: LIMIT.suites,
      scorers_per_project: LIMIT.scorers,
      cases_per_suite: LIMIT.cases,
      byok_keys: LIMIT.byokKeys,
      byok_keys_per_project: LIMIT.projectByokKeys,
      judge_calls_at_once: SLOTS_MAX,
      waiting_judged_outputs: OPEN_JUDGED_CASES_MAX,
    },
    by_project: projects.map(({ id, slug, name: projectName, isDeleted, runs }) => ({
      project_id: id,
      slug,
      name: projectName,
      is_deleted: isDeleted,
      runs,
    })),
  };
}
