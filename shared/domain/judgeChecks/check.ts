import type { JudgeCheck } from '../../contracts/judgeChecks.ts';
import type { WorkQueue } from '../messages.ts';
import type { Ambient } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { liveSuite } from '../suites/access/live.ts';
import type { ProjectReader, SuiteReader } from '../suites/ports.ts';
import { MINUTE_MS, timestamp } from '../time.ts';
import type { CheckStore, StoredCheck } from './ports.ts';

interface Deps {
  readonly projects: ProjectReader;
  readonly suites: SuiteReader;
  readonly checks: CheckStore;
}

/** While a check is pending, for so long at most, a request for another one is answered with it. */
const PENDING_MS_MAX = 15 * MINUTE_MS;

export async function startCheck(
  deps: Deps & Ambient & { readonly queue: WorkQueue },
  principal: Principal,
  suiteId: string,
): Promise<Pick<StoredCheck, 'check_id' | 'status'>> {
  const { checks, queue, now, newId } = deps;
  const { orgId } = principal;
  const { id } = await liveSuite(deps, principal, suiteId, 'suites');
  const nowMs = now();
  const check = { check_id: newId(), started_at: timestamp(nowMs) };
  const { check_id } = await checks.begin({ orgId, id }, check, timestamp(nowMs - PENDING_MS_MAX));
  if (check_id === check.check_id) {
    try {
      await queue.send([{ kind: 'judge_check', org_id: orgId, suite_id: id, check_id }]);
    } catch (error) {
      await checks.fail({ orgId, id }, check_id);
      throw error;
    }
  }
  return { check_id, status: 'pending' };
}

export async function readCheck(deps: Deps, principal: Principal, suiteId: string): Promise<JudgeCheck> {
  const { id } = await liveSuite(deps, principal, suiteId, 'read');
  const suite = { orgId: principal.orgId, id };
  const [check, wrong] = await Promise.all([deps.checks.find(suite), deps.checks.wrong(suite)]);
  const { ended } = check ?? {};
  return {
    status: check?.status ?? 'none',
    at: ended?.ended_at ?? null,
    judges: [...(ended?.judges ?? [])],
    wrong: [...wrong],
    left_out: ended?.left_out ?? 0,
  };
}
