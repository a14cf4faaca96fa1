import { AppError, notFound } from '../errors.ts';
import { PLAN } from '../plans.ts';
import type { Principal } from '../principal.ts';
import { liveSuite } from '../suites/access/live.ts';
import type { ProjectReader, SuiteReader } from '../suites/ports.ts';
import type { SuiteHead } from '../suites/stored.ts';

export async function analysedSuite(
  deps: { projects: ProjectReader; suites: SuiteReader },
  principal: Principal,
  suiteId: string,
): Promise<SuiteHead> {
  const suite = await liveSuite(deps, principal, suiteId, 'read');
  const { hasAnalytics, name } = PLAN[principal.plan];
  if (!hasAnalytics) {
    throw new AppError(
      'PLAN_REQUIRED',
      `Analytics come with the Pro plan and higher ones, not with ${name}: upgrade with POST /v1/billing/checkout.`,
      { plan: principal.plan, required_plan: 'pro' },
    );
  }
  const head = await deps.suites.head(principal.orgId, suite.slug, suite.project_id);
  if (head?.suiteId !== suite.id) throw notFound('suite');
  return head;
}
