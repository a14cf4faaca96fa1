import type { PushedDefinition } from '../../contracts/definitionPushes.ts';
import type { LastPush, PushSource } from '../../contracts/history/lastPush.ts';
import { AppError } from '../errors.ts';
import { jobOf, type Principal, sourceOf } from '../principal.ts';
import { isOlderRun } from '../suites/access/writes.ts';
import type { StoredSuite } from '../suites/stored.ts';
import { timestamp } from '../time.ts';
import { withoutDocuments } from './plan/shortPlans.ts';

/** What is known of a push. Of a job: by its token, whatever the request says. */
export function lastPushOf(principal: Principal, sent: PushSource, nowMs: number): LastPush {
  const job = jobOf(principal);
  const { path } = sent;
  const { ref, sha } = job ?? sent;
  const repository = job === undefined ? sent.repository : sourceOf(job).name;
  const known = { repository, ref, sha, path };
  const source = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
  return { at: timestamp(nowMs), by: principal.credential, source };
}

/** Whether a push that changes nothing comes from a newer job: an older one must not undo it. */
export const isNewerJob = (principal: Principal, suite: StoredSuite): boolean => {
  const runId = jobOf(principal)?.run_id;
  return runId !== undefined && runId !== suite.newest_job && !isOlderRun(runId, suite.newest_job);
};

/** After a push: an API key leaves open no way for older jobs. */
export const newestJobOf = (principal: Principal, suite: StoredSuite): string | undefined =>
  isNewerJob(principal, suite) ? jobOf(principal)?.run_id : suite.newest_job;

export function requireAsStrict({ weaker }: Pick<PushedDefinition, 'weaker'>, version: number): void {
  if (weaker.length === 0) return;
  throw new AppError(
    'WEAKER_BAR',
    `The push makes the bar weaker, or may, in ${weaker.length} ${weaker.length === 1 ? 'way' : 'ways'}: nothing was changed. Send allow_weaker if it is meant.`,
    { definition_version: version, weaker: weaker.slice(0, TOLD_MAX).map(withoutDocuments) },
  );
}

const TOLD_MAX = 50;

export function requireVersion(expected: number | undefined, version: number): void {
  if (expected === undefined || expected === version) return;
  throw new AppError(
    'VERSION_CONFLICT',
    `The suite has changed since the plan was made: its definition is version ${version} now, not ${expected}. Look at the plan again.`,
    { definition_version: version },
  );
}
